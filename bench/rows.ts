import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Receipt } from "./client.ts";
import { exportSession, longSession } from "./long-session.ts";
import { measure, median, timed, toRow, type Row } from "./measure.ts";

const TO_ECHO = "add [to Echo]";
const TO_CODE = "add [to CodeInterpreter]";
const withEcho = ["planner", "echo"];
const withCode = ["planner", "code_interpreter"];

/** All rows, one after the other; `scale` is the number of samples of a row. */
export async function* takeRows(client: Client, scale: number): AsyncGenerator<Row> {
  await warmUp(client);
  yield await measure(
    client,
    "yardstick: empty route",
    scale * 2,
    async () => void (await client.call("/bench/empty")),
  );
  yield await measure(
    client,
    "yardstick: one D1 query",
    scale * 2,
    async () => void (await client.call("/bench/d1")),
  );
  yield await measure(
    client,
    "yardstick: one object call",
    scale * 2,
    async () => void (await client.call("/bench/object")),
  );
  yield await measure(
    client,
    "yardstick: a worker round's bare calls",
    scale * 2,
    async () => void (await client.call("/bench/bare-round")),
  );

  yield await answersASecond(client, scale * 10);
  yield await firstEvent(client, scale);
  yield await rebuild(client, scale);

  yield* conversations(client, scale, "planner only", ["planner"], "add", [2, 60, 500]);
  yield* conversations(client, scale, "worker (echo)", withEcho, TO_ECHO, [2, 5, 60, 500]);
  // What an interpreter's start costs, and that of its successor in the pool, is in rows of its own.
  yield* conversations(client, scale, "code", withCode, TO_CODE, [2, 5, 60, 500], 2000);

  const fresh = await Promise.all(Array.from({ length: scale }, () => client.newSession(withEcho)));
  yield await measure(client, "worker (echo), fresh session", scale, (sample) =>
    client.send(fresh[sample]!, TO_ECHO),
  );
  const freshCode = await Promise.all(
    Array.from({ length: Math.ceil(scale / 4) }, () => client.newSession(withCode)),
  );
  yield await measure(client, "code, fresh session and interpreter", freshCode.length, (sample) =>
    client.send(freshCode[sample]!, TO_CODE),
  );

  const far = await client.newSession(withEcho);
  await client.send(far, TO_ECHO);
  const distance = { "x-bench-d1-delay": "30" };
  yield {
    ...(await measure(client, "worker (echo), D1 30 ms away", scale, () =>
      client.send(far, TO_ECHO, distance),
    )),
    note: "what distance costs",
  };
  for (const count of [10, 100]) yield await atOnce(client, count, Math.max(1, Math.floor(scale / 20)));
}

async function warmUp(client: Client): Promise<void> {
  for (const [roles, message] of [
    [withEcho, TO_ECHO],
    [withCode, TO_CODE],
  ] as const) {
    const session = await client.newSession([...roles]);
    for (let round = 0; round < 15; round++) await client.send(session, message);
  }
}

/** `/health`, twenty at a time. */
async function answersASecond(client: Client, count: number): Promise<Row> {
  const taken: number[] = [];
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        while (taken.length < count) taken.push((await timed(() => client.call("/health"))).ms);
      }),
    ),
  );
  const row = toRow("health, 20 at once", taken, median(taken), []);
  return { ...row, note: `${Math.round((taken.length / ms) * 1000)} answers a second` };
}

/** From the moment that the model sends text to the client's event with it; the model goes on for 100 ms after that. */
async function firstEvent(client: Client, samples: number): Promise<Row> {
  const session = await client.newSession(["planner"]);
  const taken: number[] = [];
  const empty: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    empty.push((await timed(() => client.call("/bench/empty"))).ms);
    taken.push(await client.delayOfStamp(session));
  }
  return {
    ...toRow("model's first text to client's first event", taken, median(empty), []),
    note: "one way, local",
  };
}

/** A conversation of 50 rounds, read from the database and put together. */
async function rebuild(client: Client, samples: number): Promise<Row> {
  const model = await client.newSession(withEcho);
  await client.send(model, TO_ECHO);
  const session = await longSession(client, await exportSession(client, model), 50);
  return measure(client, "rebuild of 50 rounds", samples, async () => {
    await client.call(`/v1/sessions/${session}/export?format=taskweaver`);
  });
}

/** The same round at several lengths of the conversation, their samples mixed so that they are comparable. */
async function* conversations(
  client: Client,
  scale: number,
  name: string,
  roles: string[],
  message: string,
  lengths: number[],
  settleMs = 0,
): AsyncGenerator<Row> {
  const model = await client.newSession(roles);
  await client.send(model, message);
  const file = await exportSession(client, model);
  // A session is measured a few rounds long, so that it stays about as old as its row says.
  const perSession = 3;
  const rows = new Map(
    lengths.map((length) => [length, { taken: [] as number[], receipts: [] as Receipt[] }]),
  );
  const empty: number[] = [];
  for (let block = 0; block < Math.ceil(scale / perSession); block++) {
    for (const [length, row] of rows) {
      const session =
        length <= 2 ? await client.newSession(roles) : await longSession(client, file, length - 3);
      await client.send(session, message);
      await sleep(settleMs);
      for (let round = 0; round < perSession; round++) {
        empty.push((await timed(() => client.call("/bench/empty"))).ms);
        const { ms, result } = await timed(() => client.send(session, message));
        row.taken.push(ms);
        row.receipts.push(result);
      }
    }
  }
  for (const [length, { taken, receipts }] of rows) {
    yield toRow(`${name}, round ${length}`, taken, median(empty), receipts);
  }
}

/** Sessions side by side, each with one worker round; the time is from the first request to the last answer. */
async function atOnce(client: Client, count: number, repeats: number): Promise<Row> {
  const taken: number[] = [];
  const receipts: Receipt[] = [];
  const empty: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const sessions = await Promise.all(Array.from({ length: count }, () => client.newSession(withEcho)));
    empty.push((await timed(() => client.call("/bench/empty"))).ms);
    const { ms, result } = await timed(() =>
      Promise.all(sessions.map((session) => client.send(session, TO_ECHO))),
    );
    taken.push(ms);
    receipts.push(...result);
  }
  const row = toRow(`${count} sessions at once, worker (echo)`, taken, median(empty), receipts);
  return { ...row, note: `${Math.round((count / row.median) * 1000)} rounds a second` };
}

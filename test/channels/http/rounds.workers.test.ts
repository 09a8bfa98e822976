import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createD1Store } from "../../../src/memory/d1-store.ts";
import type { Round } from "../../../src/memory/round.ts";
import {
  call,
  newSession,
  planned,
  python,
  roundEnd,
  scriptModel,
  send,
  sendAsync,
  type WireRound,
} from "../../support/workers/api.ts";
import { readEvents, readEventsUntil } from "../../support/workers/read-events.ts";

const nap = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sleeping = (seconds: number) => [
  planned("CodeInterpreter", "Sleep."),
  python(`import time\nnapped = True\nprint("napping")\ntime.sleep(${seconds})\n'woke up'`),
];

describe("a round that nobody waits for", () => {
  it("is accepted with a place to look for it, and run", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Add."),
      python("20 + 22"),
      planned("User", "It is 42."),
    ]);
    const response = await call(`/v1/sessions/${session}/messages`, {
      json: { message: `add ${mention}` },
      headers: { prefer: "respond-async" },
    });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(response.headers.get("location")).toBe(`/v1/sessions/${session}/rounds/${id}`);
    const round = await roundEnd(session, id);
    expect(round).toMatchObject({ id, state: "finished" });
    expect(round.post_list.at(-1)!.message).toBe("It is 42.");
  });

  it("can be looked at while it waits for the ones before it, and keeps its place", async () => {
    const session = await newSession({ roles: ["echo"] });
    const ids = [];
    for (const message of ["one", "two", "three"]) ids.push(await sendAsync(session, message));
    const waiting = (await (await call(`/v1/sessions/${session}/rounds/${ids[2]}`)).json()) as WireRound;
    expect(waiting.post_list[0]).toMatchObject({ send_from: "User", message: "three" });
    for (const id of ids) await roundEnd(session, id);
    const list = (await (await call(`/v1/sessions/${session}/rounds`)).json()) as { data: WireRound[] };
    expect(list.data.map(({ id }) => id).toReversed()).toEqual(ids);
  });

  it("is refused for a session that isn't there", async () => {
    const response = await call("/v1/sessions/nowhere/messages", {
      json: { message: "hi" },
      headers: { prefer: "respond-async" },
    });
    expect(response.status).toBe(404);
  });
});

describe("Prefer: wait", () => {
  it("gives the round if it ends in time, else the place to look for it", async () => {
    const session = await newSession();
    const wait = async (seconds: string, message: string) =>
      call(`/v1/sessions/${session}/messages`, { json: { message }, headers: { prefer: `wait=${seconds}` } });
    const slow = await scriptModel([...sleeping(1), planned("User", "Slept.")]);
    const inTime = await scriptModel([planned("User", "Quick.")]);
    const late = await wait("0.2", `sleep ${slow.mention}`);
    expect(late.status).toBe(202);
    const { id } = (await late.json()) as { id: string };
    expect((await roundEnd(session, id)).post_list.at(-1)!.message).toBe("Slept.");
    const soon = await wait("20", `be quick ${inTime.mention}`);
    expect(soon.status).toBe(200);
    expect(((await soon.json()) as WireRound).state).toBe("finished");
    expect((await wait("forever", "hi")).status).toBe(400);
  });
});

describe("a cancelled round", () => {
  it("stops its code, keeps its variables, and lets the next one in", async () => {
    const session = await newSession();
    const { mention } = await scriptModel(sleeping(30));
    const live = await call(`/v1/sessions/${session}/messages`, {
      json: { message: `sleep ${mention}` },
      headers: { accept: "text/event-stream" },
    });
    // The client leaves as soon as the code says that it runs.
    const events = await readEventsUntil(live, ({ type }) => type === "execution_output");
    const { round_id: id } = events[0] as unknown as { round_id: string };
    const started = Date.now();
    expect((await call(`/v1/sessions/${session}/rounds/${id}/cancel`, { method: "POST" })).status).toBe(202);
    const round = await roundEnd(session, id);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(round).toMatchObject({ state: "failed", error: { code: "cancelled" } });

    const after = await scriptModel([
      planned("CodeInterpreter", "Look."),
      python("napped"),
      planned("User", "Yes."),
    ]);
    expect((await send(session, `look ${after.mention}`)).post_list[2]!.message).toContain("Value: True");
    const again = await call(`/v1/sessions/${session}/rounds/${id}/cancel`, { method: "POST" });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: "round_ended" });
  });

  it("is cancelled also while it waits", async () => {
    const session = await newSession();
    const slow = await scriptModel([...sleeping(1), planned("User", "Slept.")]);
    const first = await sendAsync(session, `sleep ${slow.mention}`);
    const second = await sendAsync(session, "never mind");
    expect((await call(`/v1/sessions/${session}/rounds/${second}/cancel`, { method: "POST" })).status).toBe(
      202,
    );
    expect(await roundEnd(session, first)).toMatchObject({ state: "finished" });
    const ended = await roundEnd(session, second);
    expect(ended).toMatchObject({ state: "failed", error: { code: "cancelled" }, usage: { model_calls: 0 } });
  });

  it("must be there", async () => {
    const session = await newSession({ roles: ["echo"] });
    const response = await call(`/v1/sessions/${session}/rounds/round-none/cancel`, { method: "POST" });
    expect(response.status).toBe(404);
  });
});

it("a failed round is tried again with the same request", async () => {
  const session = await newSession();
  const { mention } = await scriptModel([{ status: 400 }, planned("User", "Now it works.")]);
  const failed = await send(session, `try ${mention}`);
  expect(failed.state).toBe("failed");
  const retried = await call(`/v1/sessions/${session}/rounds/${failed.id}/retry`, { method: "POST" });
  const round = (await retried.json()) as WireRound & { user_query: string };
  expect(round).toMatchObject({ state: "finished", user_query: `try ${mention}` });
  expect(round.id).not.toBe(failed.id);
});

describe("the session's events", () => {
  const listen = (session: string, lastEventId?: number) =>
    call(`/v1/sessions/${session}/events`, {
      headers: {
        accept: "text/event-stream",
        ...(lastEventId === undefined ? {} : { "last-event-id": `${lastEventId}` }),
      },
    });

  it("are told again from any id on, the same to everybody", async () => {
    const session = await newSession({ roles: ["echo"] });
    const live = await readEvents(
      await call(`/v1/sessions/${session}/messages`, {
        json: { message: "one" },
        headers: { accept: "text/event-stream" },
      }),
    );
    await send(session, "two");
    const ends = (count: number) => {
      let seen = 0;
      return ({ type }: { type: string }) => type === "round_end" && ++seen === count;
    };
    const all = await readEventsUntil(await listen(session), ends(2));
    expect(all.map(({ id }) => id)).toEqual(all.map((_event, index) => index + 1));
    const stored = live.filter(({ id }) => id !== undefined).toSorted((left, right) => left.id! - right.id!);
    expect(all.slice(0, stored.length)).toEqual(stored);
    const rest = await readEventsUntil(await listen(session, 5), ends(2));
    expect(rest).toEqual(all.slice(5));
  });

  it("reach a listener as they happen", async () => {
    const session = await newSession({ roles: ["echo"] });
    const heard = readEventsUntil(await listen(session), ({ type }) => type === "round_end");
    await nap(100);
    await sendAsync(session, "hello");
    const types = (await heard).map(({ type }) => type);
    expect(types[0]).toBe("round_start");
    expect(types.filter((type) => type === "post_end")).toHaveLength(4);
  });

  it("come over a WebSocket too, from any id on, also to an object that slept", async () => {
    const session = await newSession({ roles: ["echo"] });
    await send(session, "one");
    const watch = async (cursor: number) => {
      const response = await call(`/v1/sessions/${session}/events?cursor=${cursor}`, {
        headers: { upgrade: "websocket" },
      });
      expect(response.status).toBe(101);
      const socket = response.webSocket!;
      const heard: { id: number; type: string }[] = [];
      socket.addEventListener("message", ({ data }) => {
        heard.push(
          data === "pong"
            ? { id: 0, type: "pong" }
            : (JSON.parse(data as string) as { id: number; type: string }),
        );
      });
      socket.accept();
      return { socket, heard };
    };
    const early = await watch(0);
    const late = await watch(7);
    await vi.waitFor(() => expect(early.heard.at(-1)?.type).toBe("round_end"));
    const object = env.SESSIONS.getByName(`alice/${session}`);
    await evictDurableObject(object);
    await send(session, "two");
    for (const { heard } of [early, late]) {
      await vi.waitFor(() => expect(heard.filter(({ type }) => type === "round_end")).toHaveLength(2));
    }
    expect(early.heard.map(({ id }) => id)).toEqual(early.heard.map((_event, index) => index + 1));
    expect(late.heard).toEqual(early.heard.slice(7));
    early.socket.send("ping");
    await vi.waitFor(() => expect(early.heard.at(-1)?.type).toBe("pong"));
    await call(`/v1/sessions/${session}`, { method: "DELETE" });
  });

  it("need a session and an id that can be one", async () => {
    expect((await listen("nowhere")).status).toBe(404);
    const session = await newSession({ roles: ["echo"] });
    const response = await call(`/v1/sessions/${session}/events?cursor=yesterday`);
    expect(await response.json()).toMatchObject({ status: 400, code: "invalid_last_event_id" });
  });
});

it("many sessions run at once, and within one the rounds never interleave", async () => {
  const sessions = await Promise.all(Array.from({ length: 200 }, () => newSession({ roles: ["echo"] })));
  const rounds = await Promise.all(
    sessions.flatMap((session) => [send(session, "first"), send(session, "second")]),
  );
  expect(rounds.filter(({ state }) => state === "finished")).toHaveLength(400);
  for (const session of sessions) {
    const { data } = (await (await call(`/v1/sessions/${session}/rounds`)).json()) as {
      data: (WireRound & { created_at: string; finished_at: string })[];
    };
    const events = await readEventsUntil(
      await call(`/v1/sessions/${session}/events`),
      (() => {
        let ends = 0;
        return ({ type }) => type === "round_end" && ++ends === 2;
      })(),
    );
    const order = events.map((event) => (event as unknown as { round_id: string }).round_id);
    expect(order).toEqual(order.toSorted((left, right) => order.indexOf(left) - order.indexOf(right)));
    expect(new Set(order)).toEqual(new Set(data.map(({ id }) => id)));
  }
}, 180_000);

it("a round of four posts costs the same round trips and calls, however long the session is", async () => {
  const costs = [];
  for (const number of [2, 50, 500]) {
    const session = await sessionOf(number - 1);
    const { usage, post_list } = await send(session, "one more");
    expect(post_list).toHaveLength(4);
    const { d1, session_calls: calls } = usage as unknown as {
      d1: Record<string, number>;
      session_calls: number;
    };
    costs.push({
      number,
      roundTrips: d1.round_trips!,
      calls,
      rowsWritten: d1.rows_written!,
      rowsRead: d1.rows_read!,
    });
  }
  console.info("A round of four posts costs", costs);
  const [second, ...later] = costs;
  for (const { roundTrips, calls, rowsWritten } of later) {
    expect([roundTrips, calls, rowsWritten]).toEqual([
      second!.roundTrips,
      second!.calls,
      second!.rowsWritten,
    ]);
  }
  // What the receipt doesn't hold: the write of itself, and the call that ends the round.
  expect(second!.roundTrips + 1).toBeLessThanOrEqual(6);
  expect(second!.calls + 1).toBeLessThanOrEqual(6);
});

/** A session of Alice's that has so many rounds of four posts behind it. */
async function sessionOf(count: number): Promise<string> {
  const id = `session-of-${count}`;
  const times = { createdAt: 1, updatedAt: 1 };
  const pairs = [
    ["User", "Planner"],
    ["Planner", "Echo"],
    ["Echo", "Planner"],
    ["Planner", "User"],
  ] as const;
  const rounds = Array.from({ length: count }, (_round, index): Round => ({
    id: `round-${count}-${index}`,
    seq: index + 1,
    userQuery: "hello",
    state: "finished",
    posts: pairs.map(([sendFrom, sendTo], seq) => ({
      id: `post-${count}-${index}-${seq}`,
      sendFrom,
      sendTo,
      message: "hello",
      attachments: [],
    })),
    createdAt: 1,
    finishedAt: 2,
  }));
  const session = {
    tenant: "alice",
    id,
    roles: ["echo"],
    title: null,
    metadata: {},
    variables: {},
    variablesVersion: 0,
  };
  await createD1Store(env.DB).importConversation({
    session: { ...session, ...times, state: "idle" },
    rounds,
    outside: [],
  });
  return id;
}

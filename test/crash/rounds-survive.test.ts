import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startSandboxServer } from "../support/sandbox-server.ts";
import { startCountingModel, type ModelMoment } from "./counting-model.ts";
import { startCrashingServer } from "./crashing-server.ts";
import { sendAndFollow, storedEvents } from "./following-client.ts";

// The runtime is killed at a chosen moment of a round; every round must come to its end all the same. Every third of the
// moments by default; CRASH_REPEATS=6 goes through all of them six times, which makes more than a hundred kills.
const REPEATS = Number(process.env.CRASH_REPEATS ?? 0);

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** When to kill: so long after the model's moment. What lies between the moments are writes and calls of our own. */
const moments: [who: string, moment: ModelMoment, afterMs: number][] = [
  ["instruction", "asked", 0],
  ["instruction", "half told", 10],
  ["instruction", "told", 0],
  ["instruction", "told", 4],
  ["instruction", "told", 8],
  ["coder", "asked", 0],
  ["coder", "half told", 10],
  ["coder", "told", 0],
  ["coder", "told", 20],
  ["coder", "told", 120],
  ["coder", "told", 230],
  ["coder", "told", 245],
  ["answer", "asked", 0],
  ["answer", "half told", 10],
  ["answer", "told", 0],
  ["answer", "told", 4],
  ["answer", "told", 8],
  ["answer", "told", 14],
];

let onMoment: (who: string, moment: ModelMoment) => Promise<void> | void = () => {};
let model: Awaited<ReturnType<typeof startCountingModel>>;
let sandbox: Awaited<ReturnType<typeof startSandboxServer>>;
let server: Awaited<ReturnType<typeof startCrashingServer>>;
let session: string;
let number = 0;

beforeAll(async () => {
  model = await startCountingModel((who, moment) => onMoment(who, moment));
  sandbox = await startSandboxServer();
  server = await startCrashingServer({
    OPEN_MODE: "1",
    OPENAI_BASE_URL: model.url,
    SANDBOX_URL: sandbox.url,
    SANDBOX_TOKEN: sandbox.token,
    SESSION_LEASE_SECONDS: "1",
  });
  const headers = { "content-type": "application/json" };
  const created = await server.fetch("/v1/sessions", { method: "POST", headers, body: "{}" });
  session = ((await created.json()) as { id: string }).id;
});
afterAll(async () => {
  await server?.close();
  await Promise.all([model?.close(), sandbox?.stop()]);
});

interface Kill {
  who: string;
  moment: ModelMoment;
  afterMs: number;
  sandboxToo?: boolean;
}

async function playRound(kills: Kill | undefined) {
  number += 1;
  let killed: Promise<void> | undefined;
  onMoment = (who, moment) => {
    if (!kills || killed || who !== kills.who || moment !== kills.moment) return;
    killed = new Promise((resolve) => setTimeout(resolve, kills.afterMs)).then(async () => {
      await Promise.all([server.kill(), ...(kills.sandboxToo ? [sandbox.crash()] : [])]);
    });
  };
  const told = await sendAndFollow(server.fetch, session, `go [round ${number}]`);
  if (kills && !killed) throw new Error("The moment to kill did not come.");
  await killed;
  return told;
}

async function expectSound(told: Awaited<ReturnType<typeof playRound>>): Promise<void> {
  const round = told.at(-1)!.round_id;
  const response = await server.fetch(`/v1/sessions/${session}/rounds/${round}`);
  const stored = (await response.json()) as {
    state: string;
    error?: unknown;
    post_list: { id: string; message: string }[];
  };
  expect(stored.error).toBeUndefined();
  expect(stored.state).toBe("finished");
  expect(stored.post_list).toHaveLength(4);
  expect(stored.post_list.at(-1)!.message).toContain(`round ${number} is done`);

  // Each end of a Post, and the round's, reached the client once, in order; nothing stored passed it by.
  const ends = told.filter(({ type }) => type === "post_end").map(({ post_id }) => post_id);
  expect(ends).toEqual(stored.post_list.map(({ id }) => id));
  const ids = told.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right));
  const log = await storedEvents(server.fetch, session, round);
  const missed = log.filter((event) => event.round_id === round && !ids.includes(event.id!));
  expect(missed).toEqual([]);

  // The code of each round ran once.
  expect(await readRuns()).toEqual(Array.from({ length: number }, (_run, index) => index + 1));
}

/** The rounds whose code has run, as it has noted itself. */
async function readRuns(): Promise<number[]> {
  const response = await fetch(`${sandbox.url}/v1/contexts/${await contextId()}/files/runs.txt`, {
    headers: { authorization: `Bearer ${sandbox.token}` },
  });
  return (await response.text()).trim().split(" ").map(Number);
}

async function contextId(): Promise<string> {
  const { sha256Hex } = await import("../../src/lib/digest.ts");
  return (await sha256Hex(JSON.stringify(["local", session]))).slice(0, 40);
}

it("a round without a crash is what the others are measured by", async () => {
  await expectSound(await playRound(undefined));
});

describe.each(Array.from({ length: Math.max(1, REPEATS) }, (_repeat, index) => index + 1))(
  "crashes, time %i",
  () => {
    it.each(moments.filter((_moment, index) => REPEATS > 0 || index % 3 === 0))(
      "%s %s, %i ms later",
      async (who, moment, afterMs) => {
        await expectSound(await playRound({ who, moment, afterMs }));
      },
    );
  },
);

describe("when the sandbox dies as well", () => {
  it.each([
    ["before the code runs", "coder", "asked", 0, 4],
    ["while the code runs", "coder", "told", 120, 5],
    ["after the code has run", "answer", "asked", 0, 4],
  ] as const)(
    "%s, the round ends and no code runs a second time",
    async (_what, who, moment, afterMs, posts) => {
      const told = await playRound({ who, moment, afterMs, sandboxToo: true });
      const round = told.at(-1)!.data.round as {
        state: string;
        error?: unknown;
        post_list: { message: string }[];
      };
      expect(round.error).toBeUndefined();
      expect(round.state).toBe("finished");
      // Code that was cut off is not run again: that its interpreter was lost is told, and new code is written.
      expect(round.post_list.length).toBeGreaterThanOrEqual(posts);
      const lost = round.post_list.filter(({ message }) => message.includes("The interpreter was lost"));
      expect(lost.length).toBe(round.post_list.length - 4);
      const runs = await readRuns();
      expect(runs.filter((run) => run === number).length).toBeLessThanOrEqual(round.post_list.length - 3);
      expect(runs).toContain(number);
    },
  );
});

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { countD1 } from "../../src/lib/count-d1.ts";
import { retryD1 } from "../../src/lib/retry-d1.ts";
import { createD1Store } from "../../src/memory/d1-store.ts";
import { testStore } from "../suites/store.suite.ts";

testStore("D1", () => createD1Store(env.DB));
testStore("D1, every answer lost once", () =>
  createD1Store(retryD1(losingAnswers(env.DB), { wait: async () => {} })),
);

/** The database with every batch applied, and its answer lost before it is asked again. */
function losingAnswers(database: D1Database): D1Database {
  let calls = 0;
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name, target).bind(target);
      if (name !== "batch") return value;
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        if (++calls % 2 === 1) throw new Error("D1_ERROR: Network connection lost.");
        return results;
      };
    },
  });
}

it("asks the database once for each thing that it does", async () => {
  const count = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  const store = createD1Store(countD1(env.DB, count));
  const session = {
    tenant: "counted",
    id: "session-counted",
    roles: ["planner"],
    title: null,
    metadata: {},
    variables: {},
    variablesVersion: 0,
    state: "idle" as const,
    createdAt: 1,
    updatedAt: 1,
  };
  await store.createSession(session);
  await store.openRound(session, { id: "round-1", userQuery: "hi", createdAt: 2, fence: 1 });
  const reply = { id: "post-1", sendFrom: "Planner", sendTo: "User", message: "hello", attachments: [] };
  await store.appendPost(session, { roundId: "round-1", roundSeq: 1, fence: 1 }, 1, reply);
  expect(count.roundTrips).toBe(3);
  expect(count.rowsWritten).toBeGreaterThan(0);
  await store.listRounds(session, { limit: 10 });
  expect(count.roundTrips).toBe(4);
});

it("leaves nothing of an import that failed halfway, and nothing of one that was refused", async () => {
  const session = {
    tenant: "importing",
    id: "session-imported",
    roles: ["planner"],
    title: null,
    metadata: {},
    variables: {},
    variablesVersion: 0,
    state: "idle" as const,
    createdAt: 1,
    updatedAt: 1,
  };
  const rounds = Array.from({ length: 500 }, (_, index) => ({
    id: `round-${index}`,
    seq: index + 1,
    userQuery: "?",
    state: "finished" as const,
    posts: [{ id: `post-${index}`, sendFrom: "User", sendTo: "Planner", message: "?", attachments: [] }],
    createdAt: 1,
  }));
  const rowCount = async () => {
    const counted = env.DB.prepare("SELECT count(*) AS n FROM rounds WHERE tenant = 'importing'");
    return (await counted.first<{ n: number }>())!.n;
  };
  let batches = 0;
  const failing = new Proxy(env.DB, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name, target).bind(target);
      return (statements: D1PreparedStatement[]) => {
        if (++batches === 2) throw new Error("D1 is away");
        return target.batch(statements);
      };
    },
  });
  await expect(createD1Store(failing).importConversation({ session, rounds, outside: [] })).rejects.toThrow(
    "D1 is away",
  );
  expect(await createD1Store(env.DB).getSession(session)).toBeUndefined();
  expect(await rowCount()).toBe(0);

  expect(await createD1Store(env.DB).importConversation({ session, rounds, outside: [] })).toBe(true);
  expect(await createD1Store(env.DB).importConversation({ session, rounds, outside: [] })).toBe(false);
  expect(await rowCount()).toBe(500);
});

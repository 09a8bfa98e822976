import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createAttachment } from "../../src/memory/attachment.ts";
import { createD1Store } from "../../src/memory/d1-store.ts";
import { createRoundEvents } from "../../src/events/event.ts";
import { emptyUsage } from "../../src/memory/round.ts";
import { sharedMemoryAttachment } from "../../src/memory/shared-memory.ts";
import {
  BOARD,
  factsOfRounds,
  SIGNAL,
  stateOf,
  withoutOverwritten,
  type Fact,
} from "../../src/memory/shared-state.ts";
import { runRound } from "../../src/loop/run-round.ts";
import type { Abilities } from "../../src/loop/turn.ts";
import { defineRole } from "../../src/roles/role.ts";
import { createSessionClient } from "../../src/session/client.ts";
import type { Lease } from "../../src/session/session.ts";
import { call, newSession } from "../support/workers/api.ts";

/** What one of the roles does in its turn. */
type Deed =
  | { kind: "share"; type: string; content: string; scope: "round" | "conversation" }
  | { kind: "board"; text: string }
  | { kind: "signal"; key: string; value: string };
type RoundPlan = {
  turns: { worker: "Ann" | "Ben"; deeds: Deed[] }[];
  end: "finished" | "fails" | "crashes" | "crashes, then fails";
  /** Set from outside after so many Posts. */
  outside: { after: number; what: "signal" | "variable"; key: string; value: string | null }[];
};

const word = fc.constantFrom("a", "b", "c:d", "__proto__", "constructor", "ü");
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constant("share" as const),
    type: fc.constantFrom("plan", "guide"),
    content: word,
    scope: fc.constantFrom("round" as const, "conversation" as const),
  }),
  fc.record({ kind: fc.constant("board" as const), text: word }),
  fc.record({
    kind: fc.constant("signal" as const),
    key: fc.constantFrom("mode", "constructor"),
    value: word,
  }),
);
const anyPlan: fc.Arbitrary<RoundPlan> = fc.record({
  turns: fc.array(
    fc.record({
      worker: fc.constantFrom("Ann" as const, "Ben" as const),
      deeds: fc.array(anyDeed, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  end: fc.constantFrom("finished", "finished", "fails", "crashes", "crashes, then fails"),
  outside: fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 4 }),
      what: fc.constantFrom("signal" as const, "variable" as const),
      key: fc.constantFrom("mode", "x"),
      value: fc.option(word),
    }),
    { maxLength: 3 },
  ),
});

class Crash extends Error {}

let sessions = 0;

describe("the shared state that the session's object holds", () => {
  it("equals what replaying the conversation gives, whatever happens", async () => {
    // Roles fail here by the dozen, and each would be logged.
    vi.spyOn(console, "error").mockImplementation(() => {});
    await fc.assert(
      fc.asyncProperty(fc.array(anyPlan, { minLength: 1, maxLength: 4 }), async (plans) => {
        const ref = { tenant: "property", id: `session-${++sessions}` };
        const times = { createdAt: 1, updatedAt: 1 };
        const roles = ["planner", "ann", "ben"];
        const store = createD1Store(env.DB);
        await store.createSession({
          ...ref,
          ...times,
          roles,
          title: null,
          metadata: {},
          variables: {},
          variablesVersion: 0,
          state: "idle",
        });
        for (const [index, round] of plans.entries()) {
          await play(ref, `round-${index + 1}`, round);
          const held = await clientOf(ref).sharedState();
          const { rounds, outside } = (await store.loadConversation(ref))!;
          expect(rounds.at(-1)!.state).toBe(round.end.endsWith("fails") ? "failed" : "finished");
          expect(held).toEqual(stateOf([...factsOfRounds(rounds), ...outside], rounds.at(-1)!.seq));
        }
      }),
      { numRuns: 60 },
    );
  });
});

const clientOf = (ref: { tenant: string; id: string }) => createSessionClient(env.SESSIONS, ref, () => {});

async function play(ref: { tenant: string; id: string }, roundId: string, round: RoundPlan): Promise<void> {
  const crashes = round.end.startsWith("crashes");
  await host(ref, roundId, round, crashes ? "crash" : round.end === "fails" ? "fail" : "finish", 0);
  if (crashes) await host(ref, roundId, round, round.end === "crashes" ? "finish" : "fail", 1);
}

/** Runs the round over the real store and the real object; a crash is a runner that stops where it stands. */
async function host(
  ref: { tenant: string; id: string },
  roundId: string,
  round: RoundPlan,
  end: "finish" | "fail" | "crash",
  attempt: number,
): Promise<void> {
  const store = createD1Store(env.DB);
  const client = clientOf(ref);
  const request = { tenant: ref.tenant, sessionId: ref.id, roundId, userQuery: "go", createdAt: Date.now() };
  // A lease of no length: a runner that is gone holds nobody up.
  const begun = await client.begin({ request, leaseMs: attempt === 0 && end === "crash" ? 0 : 60_000 });
  if (begun.kind !== "granted") throw new Error(begun.kind);
  const lease: Lease = begun.lease;
  const opened = await store.openRound(ref, {
    id: roundId,
    userQuery: "go",
    createdAt: 1,
    fence: lease.fence,
  });
  const setOutside = async (posts: number) => {
    for (const { after, what, key, value } of round.outside) {
      if (after !== posts || attempt > 0) continue;
      if (what === "signal")
        await client.tellOutside({ facts: (await store.setSignals(ref, { [key]: value }))! });
      else {
        const { variablesVersion: version, variables: values } = (await store.mergeVariables(ref, {
          [key]: value,
        }))!;
        await client.tellOutside({ facts: [], variables: { version, values } });
      }
    }
  };

  await setOutside(0);

  const planner = defineRole({
    name: "planner",
    alias: "Planner",
    intro: "",
    async reply(turn) {
      const posts = turn.memory.rounds.at(-1)!.posts;
      expect(turn.variables).toEqual((await store.getSession(ref))!.variables);
      await setOutside(posts.length);
      const next = round.turns[posts.filter(({ sendFrom }) => sendFrom === "Planner").length];
      if (!next && end === "crash") throw new Crash();
      if (!next && end === "fail") throw new Error("fails");
      turn.post.sendTo(next?.worker ?? "User");
      turn.post.write("-");
    },
  });
  const worker = (alias: "Ann" | "Ben") =>
    defineRole({
      name: alias.toLowerCase(),
      alias,
      intro: "",
      async reply(turn) {
        const posts = opened!.rounds.at(-1)!.posts;
        expect(turn.variables).toEqual((await store.getSession(ref))!.variables);
        const { deeds } = round.turns[posts.filter(({ sendFrom }) => sendFrom === "Planner").length - 1]!;
        for (const deed of deeds) {
          if (deed.kind === "share") turn.shared.put(deed);
          else if (deed.kind === "board") turn.board.write(deed.text);
          else turn.signals.set(deed.key, deed.value);
        }
        turn.post.write("done");
      },
    });

  const roles = [planner, worker("Ann"), worker("Ben")];
  // A crash leaves nothing behind: neither the round's end in the database nor a word to the object.
  const dead = async () => {
    throw new Crash();
  };
  const lost = end === "crash" ? { closeRound: dead } : {};
  await runRound({
    ...opened!,
    lease,
    store: { ...store, ...lost } as typeof store,
    sessionClient: client,
    files: {} as never,
    lessons: {} as never,
    documents: {} as never,
    abilities: {
      roles: new Map(roles.map((role) => [role.name, role])),
      roleConfig: () => ({}),
      prompt: () => ({}),
      knowledge: () => ({}),
      examples: () => [],
      plugins: [],
      compression: () => undefined,
      llm: () => ({}),
    } as unknown as Abilities,
    contextId: "",
    limits: { maxReplies: 20, timeMs: 60_000, leaseMs: 60_000 },
    events: createRoundEvents({ sessionId: ref.id, roundId, nextEventId: lease.nextEventId, listeners: [] }),
    usage: emptyUsage(),
    abort: new AbortController().signal,
  }).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
}

describe("signals, variables, shared memory and board", () => {
  const put = (session: string, what: string, json: unknown) =>
    call(`/v1/sessions/${session}/${what}`, { method: "PUT", json });
  const get = async (session: string, what: string) => (await call(`/v1/sessions/${session}/${what}`)).json();

  it("can be set and read from outside", async () => {
    const session = await newSession({ roles: ["echo"], variables: { kept: "yes" } });
    expect(await get(session, "signals")).toEqual({});
    expect(await (await put(session, "signals", { mode: "fast", gone: "soon" })).json()).toEqual({
      mode: "fast",
      gone: "soon",
    });
    await put(session, "signals", { gone: null, mode: "slow" });
    expect(await get(session, "signals")).toEqual({ mode: "slow" });
    await put(session, "variables", { unit: "km", limit: 3, kept: null });
    expect(await get(session, "variables")).toEqual({ unit: "km", limit: "3" });
    expect(await get(session, "board")).toEqual({});
    expect(await get(session, "shared-memory")).toEqual({ data: [], next_cursor: null });
  });

  it("are refused for a session that isn't there, or in another shape", async () => {
    for (const what of ["signals", "variables"]) {
      expect((await put("nowhere", what, { a: "b" })).status).toBe(404);
      const session = await newSession();
      expect((await put(session, what, { a: { deep: 1 } })).status).toBe(422);
      expect((await put(session, what, ["a"])).status).toBe(422);
    }
    for (const what of ["signals", "variables", "board", "shared-memory"]) {
      expect((await call(`/v1/sessions/nowhere/${what}`)).status).toBe(404);
    }
  });
});

it("what was overwritten goes without a change of order in what stays", () => {
  const fact = (roundSeq: number, type: string): Fact => ({
    kind: "shared",
    role: "Ann",
    roundSeq,
    seq: 1,
    entry: { type, content: `${type} ${roundSeq}`, scope: "conversation", id: "" },
  });
  const facts = [fact(1, "guide"), fact(2, "plan"), fact(2, "guide")];
  const kept = withoutOverwritten(facts, 3);
  expect(stateOf(kept, 3)).toEqual(stateOf(facts, 3));
  expect(kept).toHaveLength(2);
});

it("facts are made of what attachments say", () => {
  const attachments = [
    sharedMemoryAttachment({ type: "plan", content: "p", scope: "round" }),
    createAttachment(BOARD, "b"),
    createAttachment(SIGNAL, "key:value:more"),
    createAttachment("thought", "not shared"),
  ];
  const post = { id: "post-1", sendFrom: "Ann", sendTo: "Planner", message: "", attachments };
  const rounds = [{ id: "r", seq: 1, userQuery: "", state: "created" as const, posts: [post], createdAt: 0 }];
  expect(stateOf(factsOfRounds(rounds), 1)).toMatchObject({
    shared: [{ role: "Ann", type: "plan", content: "p" }],
    board: { Ann: "b" },
    signals: { key: "value:more" },
  });
});

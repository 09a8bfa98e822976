import { describe, expect, it } from "vitest";
import { userPost, type Post } from "../../src/memory/post.ts";
import { emptyUsage, type Round } from "../../src/memory/round.ts";
import type { Session } from "../../src/memory/session.ts";
import type { Fact } from "../../src/memory/shared-state.ts";
import { StaleRunnerError, type Conversation, type ConversationStore } from "../../src/memory/store.ts";

let count = 0;
const post = (sendFrom: string, sendTo: string, message: string): Post => ({
  id: `post-${++count}`,
  sendFrom,
  sendTo,
  message,
  attachments: [],
});

function newSession(tenant = "alice", more: Partial<Session> = {}): Session {
  return {
    tenant,
    id: `session-${++count}`,
    roles: ["planner"],
    title: null,
    metadata: { team: "blue" },
    variables: {},
    variablesVersion: 0,
    state: "idle",
    createdAt: 1000 + count,
    updatedAt: 1000 + count,
    ...more,
  };
}

/** What every conversation store does. */
export function testStore(name: string, createStore: () => ConversationStore): void {
  describe(`${name}: conversation store`, () => {
    async function withRound(fence = 1) {
      const store = createStore();
      const session = newSession();
      await store.createSession(session);
      const roundId = `round-${++count}`;
      const opened = await store.openRound(session, {
        id: roundId,
        userQuery: "hello",
        createdAt: 2000,
        fence,
      });
      const at = { roundId, roundSeq: opened!.rounds.at(-1)!.seq, fence };
      const firstPost = userPost({ id: roundId, userQuery: "hello" });
      return { store, session, firstPost, roundId, at, opened: opened! };
    }

    it("keeps sessions apart by tenant, and an id once", async () => {
      const store = createStore();
      const session = newSession("alice");
      expect(await store.createSession(session)).toBe(true);
      expect(await store.createSession(session)).toBe(false);
      expect(await store.createSession({ ...session, tenant: "bob", title: "Bob's" })).toBe(true);
      expect(await store.getSession(session)).toEqual(session);
      expect((await store.getSession({ tenant: "bob", id: session.id }))?.title).toBe("Bob's");
      expect(await store.getSession({ tenant: "carol", id: session.id })).toBeUndefined();
      expect(
        await store.updateSession({ tenant: "carol", id: session.id }, { title: "taken" }),
      ).toBeUndefined();
      await store.deleteSession({ tenant: "bob", id: session.id });
      expect(await store.getSession(session)).toEqual(session);
    });

    it("names new files to the round whose message came after them, once", async () => {
      const store = createStore();
      const session = newSession();
      await store.createSession(session);
      const query = async (id: string, createdAt: number, userQuery = "read") =>
        (await store.openRound(session, { id, userQuery, createdAt, fence: ++count }))?.rounds.at(-1)
          ?.userQuery;
      expect(await store.noteNewFile(session, "b.txt", 1000)).toBe(true);
      expect(await store.noteNewFile(session, "a?.txt", 1000)).toBe(true);
      expect(await store.noteNewFile(session, "gone.txt", 1000)).toBe(true);
      await store.forgetNewFile(session, "gone.txt");
      await store.noteNewFile(session, "late.txt", 3000);
      expect(await store.noteNewFile({ ...session, tenant: "bob" }, "a.txt", 1000)).toBe(false);
      expect(await query("round-a", 2000, "files added: b.txt.\nread?")).toBe(
        "files added: a?.txt, b.txt.\nread?",
      );
      // Taken up by another runner, it says the same.
      expect(await query("round-a", 2000, "files added: b.txt.\nread?")).toBe(
        "files added: a?.txt, b.txt.\nread?",
      );
      expect(await query("round-b", 3000)).toBe("files added: late.txt.\nread");
      expect(await query("round-c", 4000)).toBe("read");
    });

    it("lists sessions newest first, page by page", async () => {
      const store = createStore();
      const tenant = `tenant-${++count}`;
      const made = [1, 2, 3, 4, 5].map((at) => newSession(tenant, { createdAt: at }));
      for (const session of made) await store.createSession(session);
      const first = await store.listSessions(tenant, { limit: 2 });
      const second = await store.listSessions(tenant, { limit: 2, cursor: first.nextCursor! });
      const third = await store.listSessions(tenant, { limit: 2, cursor: second.nextCursor! });
      const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
      expect(ids).toEqual(made.map(({ id }) => id).toReversed());
      expect(third.nextCursor).toBeUndefined();
    });

    it("opens a round with the user's post and rebuilds the conversation", async () => {
      const { session, firstPost, opened, roundId } = await withRound();
      expect(opened.session).toMatchObject({ id: session.id, state: "running" });
      expect(opened.rounds).toEqual([
        {
          id: roundId,
          seq: 1,
          userQuery: "hello",
          state: "created",
          variables: {},
          posts: [firstPost],
          createdAt: 2000,
        },
      ]);
    });

    it("knows no round of a session that isn't there", async () => {
      const store = createStore();
      const round = {
        id: "round-x",
        userQuery: "?",
        createdAt: 1,
        fence: 1,
      };
      expect(await store.openRound({ tenant: "alice", id: "nowhere" }, round)).toBeUndefined();
    });

    it("appends posts in order, and the same post again harmlessly", async () => {
      const { store, session, firstPost, roundId, at } = await withRound();
      const reply = {
        ...post("Planner", "User", "hi"),
        attachments: [{ id: "atta-1", type: "artifact_paths", content: ["a.csv"], extra: { deep: [1] } }],
      };
      await store.appendPost(session, at, 1, reply);
      await store.appendPost(session, at, 1, reply);
      expect((await store.getRound(session, roundId))?.posts).toEqual([firstPost, reply]);
      const other = store.appendPost(session, at, 1, post("Planner", "User", "something else"));
      await expect(other).rejects.toBeInstanceOf(StaleRunnerError);
    });

    it("keeps with a post what its role was shown", async () => {
      const { store, session, at } = await withRound();
      const trace = {
        plugins: ["sum"],
        examples: [{ sub_path: "", decided_by: "none" as const, names: ["a"] }],
      };
      const shown = { ...post("Planner", "User", "hi"), trace };
      await store.appendPost(session, at, 1, shown);
      const { rounds } = (await store.loadConversation(session))!;
      expect(rounds[0]!.posts[1]).toEqual(shown);
      expect(rounds[0]!.posts[0]).not.toHaveProperty("trace");
    });

    it("keeps what somebody thinks of a round, the last that they thought", async () => {
      const { store, session, roundId } = await withRound();
      expect(await store.setFeedback(session, roundId, { score: 1, note: "good", at: 5 })).toBe(true);
      expect(await store.setFeedback(session, roundId, { score: 0.5, at: 6 })).toBe(true);
      expect((await store.getRound(session, roundId))!.feedback).toEqual({ score: 0.5, at: 6 });
      expect(await store.setFeedback(session, "round-nowhere", { score: 1, at: 7 })).toBe(false);
      const other = { tenant: "mallory", id: session.id };
      expect(await store.setFeedback(other, roundId, { score: -1, at: 8 })).toBe(false);
      expect((await store.getRound(session, roundId))!.feedback).toEqual({ score: 0.5, at: 6 });
    });

    it("refuses a runner whose lease was given on", async () => {
      const { store, session, firstPost, roundId, at } = await withRound(3);
      const again = { id: roundId, userQuery: "hello", createdAt: 2000 };
      const taken = await store.openRound(session, { ...again, fence: 4 });
      expect(taken!.rounds.at(-1)!.posts).toEqual([firstPost]);
      const stale = expect.objectContaining({ code: "stale_runner" });
      await expect(store.openRound(session, { ...again, fence: 3 })).rejects.toEqual(stale);
      await expect(store.appendPost(session, at, 1, post("Planner", "User", "late"))).rejects.toEqual(stale);
      const end = { state: "finished" as const, usage: emptyUsage(), finishedAt: 3000 };
      await expect(store.closeRound(session, at, end)).rejects.toEqual(stale);
      await store.appendPost(session, { ...at, fence: 4 }, 1, post("Planner", "User", "in time"));
      expect((await store.getRound(session, roundId))?.posts.map(({ message }) => message)).toEqual([
        "hello",
        "in time",
      ]);
    });

    it("ends a round, after which nothing is added to it", async () => {
      const { store, session, roundId, at } = await withRound();
      const end = {
        state: "failed" as const,
        stop: "TaskFailure",
        error: { code: "round_limit", message: "too many replies" },
        usage: { ...emptyUsage(), modelCalls: 2 },
        finishedAt: 3000,
      };
      await store.closeRound(session, at, end);
      await store.closeRound(session, at, end);
      expect(await store.getRound(session, roundId)).toMatchObject(end);
      expect((await store.getSession(session))?.state).toBe("idle");
      const late = store.appendPost(session, at, 1, post("Planner", "User", "late"));
      await expect(late).rejects.toBeInstanceOf(StaleRunnerError);
    });

    it("ends a round together with its last post, and both again harmlessly", async () => {
      const { store, session, firstPost, roundId, at } = await withRound();
      const last = { seq: 1, post: post("Planner", "User", "hi") };
      const end = { state: "finished" as const, usage: emptyUsage(), finishedAt: 3000 };
      await store.closeRound(session, at, end, last);
      await store.closeRound(session, at, end, last);
      expect(await store.getRound(session, roundId)).toMatchObject({ ...end, posts: [firstPost, last.post] });
      expect((await store.getSession(session))?.updatedAt).toBe(3000);
    });

    it("leaves out rounds that nobody needs any more, and gives what is kept in their place", async () => {
      const { store, session, roundId, at } = await withRound();
      const end = { state: "finished" as const, usage: emptyUsage(), finishedAt: 3000 };
      const summary = (upTo: number, text: string) => ({ role: "Planner", upTo, text });
      const horizon = { upTo: 1, facts: [], tokens: 7, generation: "g1" };
      await store.keepSummaries(
        session,
        { ...at, fence: 9 },
        { summaries: [summary(1, "of a lost runner")] },
      );
      await store.keepSummaries(session, at, { summaries: [summary(1, "so far")], horizon });
      await store.keepSummaries(session, at, {
        summaries: [summary(0, "of less")],
        horizon: { ...horizon, upTo: 0 },
      });
      await store.closeRound(session, at, end);
      const next = { id: `round-${++count}`, userQuery: "again", createdAt: 4000, fence: 2 };
      const opened = await store.openRound(session, next);
      expect(opened!.rounds.map(({ id }) => id)).toEqual([next.id]);
      expect(opened).toMatchObject({ summaries: [summary(1, "so far")], horizon });
      const whole = await store.loadConversation(session);
      expect(whole!.rounds.map(({ id }) => id)).toEqual([roundId, next.id]);
      await store.deleteSession(session);
      await store.createSession(session);
      expect((await store.openRound(session, { ...next, fence: 3 }))!.summaries).toEqual([]);
    });

    it("fails a round that was left behind when the next one begins", async () => {
      const { store, session, roundId } = await withRound();
      const next = { id: `round-${++count}`, userQuery: "again", createdAt: 4000, fence: 2 };
      const opened = await store.openRound(session, next);
      expect(opened!.rounds.map(({ id, state, error }) => [id, state, error?.code])).toEqual([
        [roundId, "failed", "interrupted"],
        [next.id, "created", undefined],
      ]);
    });

    it("lists rounds newest first, page by page, with their posts", async () => {
      const { store, session } = await withRound();
      for (const fence of [2, 3]) {
        const round = { id: `round-${++count}`, userQuery: `message ${fence}`, createdAt: fence, fence };
        await store.openRound(session, round);
      }
      const first = await store.listRounds(session, { limit: 2 });
      expect(first.items.map(({ posts }) => posts[0]!.message)).toEqual(["message 3", "message 2"]);
      const second = await store.listRounds(session, { limit: 2, cursor: first.nextCursor! });
      expect(second.items.map(({ seq }) => seq)).toEqual([1]);
      expect(second.nextCursor).toBeUndefined();
    });

    it("finds rounds that are open since before a time, and no others", async () => {
      const { store, session, roundId, at } = await withRound();
      const open = async (before: number) => {
        const found = await store.findOpenRounds({ before, limit: 1000 });
        return found.filter(({ id }) => id === session.id);
      };
      const found = { tenant: session.tenant, id: session.id, roundId, userQuery: "hello", createdAt: 2000 };
      expect(await open(2001)).toEqual([found]);
      expect(await open(2000)).toEqual([]);
      await store.closeRound(session, at, { state: "finished", usage: emptyUsage(), finishedAt: 3000 });
      expect(await open(2001)).toEqual([]);
    });

    it("finds sessions that are idle since before a time, and none that runs", async () => {
      const { store, session, at } = await withRound();
      const idle = async (before: number) => {
        const found = await store.findIdleSessions({ before, limit: 10_000 });
        return found.filter(({ id }) => id === session.id);
      };
      expect(await idle(Date.now() + 1000)).toEqual([]);
      await store.closeRound(session, at, { state: "finished", usage: emptyUsage(), finishedAt: 3000 });
      expect(await idle(Date.now() + 1000)).toEqual([{ tenant: session.tenant, id: session.id }]);
      expect(await idle(2000)).toEqual([]);
    });

    it("keeps signals from outside behind the Post that was last, and what they replace not at all", async () => {
      const { store, session, at } = await withRound();
      expect(await store.setSignals({ ...session, tenant: "carol" }, { mode: "fast" })).toBeUndefined();
      await store.setSignals(session, { mode: "fast", other: "o" });
      await store.appendPost(session, at, 1, post("Planner", "User", "hi"));
      const now = await store.setSignals(session, { mode: null });
      expect(now).toEqual([
        { kind: "signal", key: "other", value: "o", n: expect.any(Number), roundSeq: 1, seq: 0 },
        { kind: "signal", key: "mode", value: null, n: expect.any(Number), roundSeq: 1, seq: 1 },
      ]);
      expect((await store.loadConversation(session))!.outside).toEqual(now);
    });

    it("merges variables", async () => {
      const { store, session } = await withRound();
      await store.mergeVariables(session, { a: "1", b: "2" });
      const merged = await store.mergeVariables(session, { a: null, c: "3" });
      expect(merged!.variables).toEqual({ b: "2", c: "3" });
      expect(await store.mergeVariables({ ...session, id: "nowhere" }, { a: "1" })).toBeUndefined();
    });

    const endedRound = (seq: number, posts: number): Round => ({
      id: `round-imported-${seq}`,
      seq,
      userQuery: `question ${seq}`,
      state: seq % 2 === 0 ? "failed" : "finished",
      ...(seq % 2 === 0 ? { error: { code: "time_limit", message: "over" } } : { stop: "Completed" }),
      ...(seq === 1 ? { usage: { ...emptyUsage(), modelCalls: 3 } } : {}),
      posts: Array.from({ length: posts }, (_, place) => ({
        ...post("Planner", "User", `${seq}.${place}`),
        attachments: [{ id: "atta-1", type: "plan", content: "1. do it", extra: { place } }],
      })),
      createdAt: 5000 + seq,
      finishedAt: 6000 + seq,
    });

    const imported = (session: Session, rounds: Round[]): Conversation => ({ session, rounds, outside: [] });

    it("takes in a conversation as it was elsewhere, and goes on with it", async () => {
      const store = createStore();
      const session = newSession("alice", {
        title: "Moved",
        variables: { region: "north" },
        updatedAt: 9000,
      });
      const rounds = [endedRound(1, 3), endedRound(2, 1), endedRound(3, 1)];
      const outside: Fact[] = [
        { kind: "signal", key: "mode", value: "fast", n: 1, roundSeq: 1, seq: 2 },
        { kind: "signal", key: "other", value: null, n: 2, roundSeq: 3, seq: 0 },
      ];
      const summaries = [
        { role: "Echo", upTo: 2, text: "It echoed." },
        { role: "Planner", upTo: 1, text: "It began." },
      ];
      const whole = { session, rounds, outside, summaries };
      expect(await store.importConversation(whole)).toBe(true);
      expect(await store.loadConversation(session)).toEqual(whole);
      expect(await store.getSession(session)).toEqual(session);
      const next = { id: `round-${++count}`, userQuery: "next", createdAt: 7000, fence: 1 };
      const opened = await store.openRound(session, next);
      expect(opened!.rounds.slice(0, 3)).toEqual(rounds);
      expect(opened!.rounds.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      const horizon = { upTo: 1, facts: [], tokens: 7 };
      const copy = { ...newSession("alice"), updatedAt: 9000 };
      expect(await store.importConversation({ ...whole, session: copy, horizon })).toBe(true);
      expect((await store.loadConversation(copy))!.rounds).toHaveLength(3);
      const onwards = await store.openRound(copy, { ...next, id: `round-${++count}` });
      expect(onwards).toMatchObject({ summaries, horizon });
      expect(onwards!.rounds.map(({ seq }) => seq)).toEqual([2, 3, 4]);
      await store.appendPost(
        session,
        { roundId: next.id, roundSeq: 4, fence: 1 },
        1,
        post("Planner", "User", "!"),
      );
      expect((await store.getRound(session, next.id))?.posts).toHaveLength(2);
    });

    it("takes in a conversation that is too long for one statement or batch", async () => {
      const store = createStore();
      const session = newSession();
      const rounds = Array.from({ length: 120 }, (_, index) => endedRound(index + 1, 7));
      rounds[7]!.posts[0]!.message = "long ".repeat(240_000);
      expect(await store.importConversation(imported(session, rounds))).toBe(true);
      const page = await store.listRounds(session, { limit: 200 });
      expect(page.items.toReversed()).toEqual(rounds);
    });

    it("takes in no conversation over another one", async () => {
      const { store, session, roundId } = await withRound();
      expect(
        await store.importConversation(imported({ ...session, title: "other" }, [endedRound(1, 2)])),
      ).toBe(false);
      expect(
        await store.importConversation(imported({ ...session, tenant: "dave" }, [endedRound(1, 2)])),
      ).toBe(true);
      expect((await store.getSession(session))?.title).toBeNull();
      const { items } = await store.listRounds(session, { limit: 10 });
      expect(items.map(({ id }) => id)).toEqual([roundId]);
    });

    it("deletes a session with all that belongs to it", async () => {
      const { store, session, roundId } = await withRound();
      await store.setSignals(session, { mode: "fast" });
      await store.deleteSession(session);
      await store.deleteSession(session);
      expect(await store.getSession(session)).toBeUndefined();
      expect(await store.createSession(session)).toBe(true);
      expect(await store.loadConversation(session)).toEqual({
        session,
        rounds: [],
        outside: [],
        summaries: [],
      });
      expect(await store.getRound(session, roundId)).toBeUndefined();
    });
  });
}

import { splitAddedFiles, withAddedFiles } from "./added-files.ts";
import { userPost, type Post } from "./post.ts";
import type { Round } from "./round.ts";
import type { Session, SessionRef } from "./session.ts";
import type { Fact } from "./shared-state.ts";
import type { Horizon, RoleSummary } from "./summary.ts";
import { interruptedError, StaleRunnerError, type ConversationStore, type RoundPosition } from "./store.ts";

interface Kept {
  session: Session;
  rounds: (Round & { fence: number })[];
  outside: OutsideSignal[];
  summaries: RoleSummary[];
  horizon?: Horizon;
  /** How many signals have ever come from outside. */
  outsideCount: number;
  newFiles: Map<string, number>;
}

type OutsideSignal = Extract<Fact, { kind: "signal" }>;

/** The conversation in this process: for tests of what lies above the store. It keeps copies, as a database would. */
export function createInMemoryStore(): ConversationStore {
  const kept = new Map<string, Kept>();
  const keyOf = (ref: SessionRef) => JSON.stringify([ref.tenant, ref.id]);
  const find = (ref: SessionRef) => kept.get(keyOf(ref));

  const showSession = ({ session, rounds }: Kept): Session => ({
    ...structuredClone(session),
    updatedAt: Math.max(session.updatedAt, rounds.at(-1)?.createdAt ?? 0, rounds.at(-1)?.finishedAt ?? 0),
    state: rounds.some((round) => round.state === "created") ? "running" : "idle",
  });
  const showRound = ({ fence: _fence, ...round }: Round & { fence: number }): Round => structuredClone(round);

  const showConversation = (found: Kept) => ({
    session: showSession(found),
    rounds: found.rounds.map(showRound),
    outside: structuredClone(found.outside),
    summaries: structuredClone(found.summaries),
    ...(found.horizon ? { horizon: structuredClone(found.horizon) } : {}),
  });

  function held(ref: SessionRef, at: RoundPosition) {
    const round = find(ref)?.rounds[at.roundSeq - 1];
    if (!round || round.fence !== at.fence) throw new StaleRunnerError(at.roundId, at.fence);
    return round;
  }

  function append(round: Round, at: RoundPosition, seq: number, post: Post): void {
    if (round.posts[seq]?.id === post.id) return;
    if (round.state !== "created" || seq !== round.posts.length) {
      throw new StaleRunnerError(at.roundId, at.fence);
    }
    round.posts.push(structuredClone(post));
  }

  return {
    async createSession(session) {
      if (find(session)) return false;
      kept.set(keyOf(session), {
        session: structuredClone(session),
        rounds: [],
        outside: [],
        summaries: [],
        outsideCount: 0,
        newFiles: new Map(),
      });
      return true;
    },

    async getSession(ref) {
      const found = find(ref);
      return found && showSession(found);
    },

    async listSessions(tenant, { cursor, limit }) {
      const all = [...kept.values()]
        .filter(({ session }) => session.tenant === tenant)
        .map(showSession)
        .toSorted((a, b) => b.createdAt - a.createdAt || (b.id > a.id ? 1 : -1));
      const start = cursor ? all.findIndex((session) => session.id === cursor) + 1 : 0;
      const items = all.slice(start, start + limit);
      const last = items.at(-1);
      return { items, ...(start + limit < all.length && last ? { nextCursor: last.id } : {}) };
    },

    async updateSession(ref, change) {
      const found = find(ref);
      if (!found) return undefined;
      Object.assign(found.session, structuredClone(change), { updatedAt: Date.now() });
      return showSession(found);
    },

    async mergeVariables(ref, changes) {
      const found = find(ref);
      if (!found) return undefined;
      const merged = Object.entries({ ...found.session.variables, ...changes });
      const set = merged.filter((entry): entry is [string, string] => entry[1] !== null);
      found.session.variables = Object.fromEntries(set);
      found.session.variablesVersion += 1;
      return showSession(found);
    },

    async deleteSession(ref) {
      kept.delete(keyOf(ref));
    },

    async importConversation({ session, rounds, outside, summaries = [], horizon }) {
      if (find(session)) return false;
      const signals = structuredClone(outside).filter((fact) => fact.kind === "signal");
      kept.set(keyOf(session), {
        session: structuredClone(session),
        rounds: structuredClone(rounds).map((round, index) => ({ ...round, seq: index + 1, fence: 0 })),
        outside: signals.map((signal, index) => ({ ...signal, n: index + 1 })),
        ...structuredClone({ summaries, ...(horizon ? { horizon } : {}) }),
        outsideCount: signals.length,
        newFiles: new Map(),
      });
      return true;
    },

    async openRound(ref, { id, userQuery: asked, createdAt, fence }) {
      const found = find(ref);
      if (!found) return undefined;
      const { names, message } = splitAddedFiles(asked);
      const noted = [...found.newFiles].filter(([, at]) => at <= createdAt).map(([name]) => name);
      for (const name of noted) found.newFiles.delete(name);
      const userQuery = withAddedFiles(message, [
        ...noted.filter((name) => !names.includes(name)).toSorted(),
        ...names,
      ]);
      for (const round of found.rounds) {
        if (round.state !== "created" || round.id === id || round.fence >= fence) continue;
        Object.assign(round, { state: "failed", error: interruptedError, finishedAt: createdAt });
      }
      const known = found.rounds.find((round) => round.id === id);
      if (!known) {
        const posts: Post[] = [userPost({ id, userQuery })];
        const seq = found.rounds.length + 1;
        const variables = structuredClone(found.session.variables);
        found.rounds.push({ id, seq, userQuery, state: "created", variables, posts, createdAt, fence });
      } else if (fence > known.fence && known.state === "created") {
        known.fence = fence;
      }
      const opened = found.rounds.at(-1);
      const isOpen = opened?.state === "created";
      if (opened?.id !== id || (isOpen && opened.fence !== fence)) throw new StaleRunnerError(id, fence);
      const whole = showConversation(found);
      return { ...whole, rounds: whole.rounds.filter(({ seq }) => seq > (whole.horizon?.upTo ?? 0)) };
    },

    async keepSummaries(ref, at, given) {
      const found = find(ref);
      if (found?.rounds[at.roundSeq - 1]?.fence !== at.fence) return;
      for (const summary of structuredClone(given.summaries)) {
        const known = found.summaries.find(({ role }) => role === summary.role);
        if (!known) found.summaries.push(summary);
        else if (known.upTo < summary.upTo) Object.assign(known, summary);
      }
      if (given.horizon && given.horizon.upTo > (found.horizon?.upTo ?? 0))
        found.horizon = structuredClone(given.horizon);
    },

    async loadConversation(ref) {
      const found = find(ref);
      return found && showConversation(found);
    },

    async setSignals(ref, signals) {
      const found = find(ref);
      if (!found) return undefined;
      const roundSeq = found.rounds.length;
      const seq = Math.max(0, (found.rounds.at(-1)?.posts.length ?? 0) - 1);
      for (const [key, value] of Object.entries(signals)) {
        const others = found.outside.filter((signal) => signal.key !== key || signal.roundSeq !== roundSeq);
        found.outside = [...others, { roundSeq, seq, kind: "signal", key, value, n: ++found.outsideCount }];
      }
      return structuredClone(found.outside);
    },

    async appendPost(ref, at, seq, post) {
      append(held(ref, at), at, seq, post);
    },

    async closeRound(ref, at, end, lastPost) {
      const round = held(ref, at);
      if (lastPost) append(round, at, lastPost.seq, lastPost.post);
      if (round.state === "created") Object.assign(round, structuredClone(end));
      else if (round.state !== end.state) throw new StaleRunnerError(at.roundId, at.fence);
    },

    async noteNewFile(ref, name, at) {
      find(ref)?.newFiles.set(name, at);
      return find(ref) !== undefined;
    },

    async forgetNewFile(ref, name) {
      find(ref)?.newFiles.delete(name);
    },

    async findIdleSessions({ before, limit }) {
      return [...kept.values()]
        .map(showSession)
        .filter(({ state, updatedAt }) => state === "idle" && updatedAt < before)
        .toSorted((a, b) => a.updatedAt - b.updatedAt)
        .slice(0, limit)
        .map(({ tenant, id }) => ({ tenant, id }));
    },

    async findOpenRounds({ before, limit }) {
      return [...kept.values()]
        .flatMap(({ session: { tenant, id }, rounds }) =>
          rounds
            .filter(({ state, createdAt }) => state === "created" && createdAt < before)
            .map(({ id: roundId, userQuery, createdAt }) => ({ tenant, id, roundId, userQuery, createdAt })),
        )
        .toSorted((a, b) => a.createdAt - b.createdAt)
        .slice(0, limit);
    },

    async setFeedback(ref, roundId, feedback) {
      const round = find(ref)?.rounds.find(({ id }) => id === roundId);
      if (round) round.feedback = { ...feedback };
      return round !== undefined;
    },

    async getRound(ref, roundId) {
      const round = find(ref)?.rounds.find(({ id }) => id === roundId);
      return round && showRound(round);
    },

    async listRounds(ref, { cursor, limit }) {
      const all = (find(ref)?.rounds ?? []).toReversed().filter(({ seq }) => !cursor || seq < Number(cursor));
      const items = all.slice(0, limit).map(showRound);
      const last = items.at(-1);
      return { items, ...(all.length > limit && last ? { nextCursor: String(last.seq) } : {}) };
    },
  };
}

import { and, asc, desc, eq, gt, inArray, lt, ne, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { importIntoD1 } from "./d1-import.ts";
import { signalChanges } from "./d1-outside-signals.ts";
import { toFact, toRound, toRounds, type OutsideRow } from "./d1-rows.ts";
import { nothing, value } from "./d1-values.ts";
import type { Post } from "./post.ts";
import type { PostTrace } from "./post-trace.ts";
import type { Attachment } from "./attachment.ts";
import type { RoundState } from "./round.ts";
import type { Session, SessionRef } from "./session.ts";
import {
  interruptedError,
  StaleRunnerError,
  type RememberedConversation,
  type ConversationStore,
  type RoundPosition,
} from "./store.ts";
import { addToDailyUsage } from "./d1-daily-usage.ts";
import { forgetNewFile, namedNewFiles, noteNewFile, queryWithNewFiles } from "./d1-new-files.ts";
import { horizonOf, readSummaries, summariesOf, summaryWrites } from "./d1-summaries.ts";
import { newFiles, outsideSignals, posts, rounds, sessions, summaries } from "./tables.ts";

/** The conversation in D1. Every method is one `batch`, which D1 runs as one transaction in one round trip. */
export function createD1Store(database: D1Database): ConversationStore {
  const db = drizzle(database);

  const ofSession = (ref: SessionRef) => and(eq(sessions.tenant, ref.tenant), eq(sessions.id, ref.id));
  const roundsOf = (ref: SessionRef) => and(eq(rounds.tenant, ref.tenant), eq(rounds.sessionId, ref.id));
  const outsideOf = (ref: SessionRef) =>
    and(eq(outsideSignals.tenant, ref.tenant), eq(outsideSignals.sessionId, ref.id));
  const postsOf = (ref: SessionRef) => and(eq(posts.tenant, ref.tenant), eq(posts.sessionId, ref.id));

  /** Only the last round can be open: those left behind are failed when the next one begins. */
  const isRunning = sql<number>`coalesce((SELECT r.state = 'created' FROM rounds AS r WHERE r.tenant = sessions.tenant
    AND r.session_id = sessions.id ORDER BY r.seq DESC LIMIT 1), 0)`;
  /** A round is a change of its session; it isn't written down twice. */
  const changedAt = sql<number>`max(${sessions.updatedAt}, coalesce((SELECT max(r.created_at, coalesce(r.finished_at, 0))
    FROM rounds AS r WHERE r.tenant = sessions.tenant AND r.session_id = sessions.id ORDER BY r.seq DESC LIMIT 1), 0))`;
  const selectSessions = () =>
    db
      .select({
        tenant: sessions.tenant,
        id: sessions.id,
        roles: sessions.roles,
        title: sessions.title,
        metadata: sessions.metadata,
        variables: sessions.variables,
        variablesVersion: sessions.variablesVersion,
        createdAt: sessions.createdAt,
        updatedAt: changedAt.as("updated_at"),
        running: isRunning,
      })
      .from(sessions);
  const toSession = ({ running, ...row }: Omit<Session, "state"> & { running: number }): Session => ({
    ...row,
    state: running ? "running" : "idle",
  });

  const lastSeq = (ref: SessionRef) => sql<number>`coalesce((SELECT max(seq) FROM rounds
    WHERE tenant = ${ref.tenant} AND session_id = ${ref.id}), 0)`;

  /** All that makes the conversation, or what of it comes after a round. */
  const selectConversation = (ref: SessionRef, after: SQL = sql`0`) =>
    [
      selectSessions().where(ofSession(ref)),
      db
        .select()
        .from(rounds)
        .where(and(roundsOf(ref), gt(rounds.seq, after)))
        .orderBy(asc(rounds.seq)),
      db
        .select()
        .from(posts)
        .where(and(postsOf(ref), gt(posts.roundSeq, after)))
        .orderBy(asc(posts.roundSeq), asc(posts.seq)),
      db.select().from(outsideSignals).where(outsideOf(ref)).orderBy(asc(outsideSignals.n)),
    ] as const;

  const selectSummaries = (ref: SessionRef) =>
    db
      .select({ role: summaries.role, upTo: summaries.upTo, text: summaries.text })
      .from(summaries)
      .where(summariesOf(ref));

  /** Adds a post to the round that the condition finds, unless it has one in that place. */
  const insertPost = (theRound: SQL | undefined, seq: number, post: Post) =>
    db
      .insert(posts)
      .select(
        db
          .select({
            tenant: rounds.tenant,
            sessionId: rounds.sessionId,
            roundSeq: rounds.seq,
            seq: value(seq, "seq"),
            id: value(post.id, "id"),
            sendFrom: value(post.sendFrom, "send_from"),
            sendTo: value(post.sendTo, "send_to"),
            message: value(post.message, "message"),
            attachments: sql<Attachment[]>`${JSON.stringify(post.attachments)}`.as("attachments"),
            trace: post.trace ? sql<PostTrace>`${JSON.stringify(post.trace)}`.as("trace") : nothing("trace"),
          })
          .from(rounds)
          .where(theRound),
      )
      .onConflictDoNothing();

  return {
    async createSession(session) {
      const { state: _derived, ...row } = session;
      const madeBy = crypto.randomUUID();
      const [, found] = await db.batch([
        db
          .insert(sessions)
          .values({ ...row, madeBy })
          .onConflictDoNothing(),
        db.select({ madeBy: sessions.madeBy }).from(sessions).where(ofSession(session)),
      ]);
      return found[0]?.madeBy === madeBy;
    },

    async getSession(ref) {
      const [found] = await db.batch([selectSessions().where(ofSession(ref))]);
      return found[0] && toSession(found[0]);
    },

    async listSessions(tenant, { cursor, limit }) {
      const [createdAt, id] = cursor?.split("~", 2) ?? [];
      const after = cursor
        ? sql`(${sessions.createdAt}, ${sessions.id}) < (${Number(createdAt)}, ${id ?? ""})`
        : undefined;
      const [found] = await db.batch([
        selectSessions()
          .where(and(eq(sessions.tenant, tenant), after))
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .limit(limit + 1),
      ]);
      const items = found.slice(0, limit).map(toSession);
      const last = items.at(-1);
      return {
        items,
        ...(found.length > limit && last ? { nextCursor: `${last.createdAt}~${last.id}` } : {}),
      };
    },

    async updateSession(ref, change) {
      const [, found] = await db.batch([
        db
          .update(sessions)
          .set({ ...change, updatedAt: Date.now() })
          .where(ofSession(ref)),
        selectSessions().where(ofSession(ref)),
      ]);
      return found[0] && toSession(found[0]);
    },

    async mergeVariables(ref, changes) {
      const merged = sql`json_patch(${sessions.variables}, ${JSON.stringify(changes)})`;
      const [, found] = await db.batch([
        db
          .update(sessions)
          .set({
            variables: merged,
            variablesVersion: sql`${sessions.variablesVersion} + 1`,
            updatedAt: Date.now(),
          })
          .where(ofSession(ref)),
        selectSessions().where(ofSession(ref)),
      ]);
      return found[0] && toSession(found[0]);
    },

    async deleteSession(ref) {
      await db.batch([
        db.delete(sessions).where(ofSession(ref)),
        db.delete(rounds).where(roundsOf(ref)),
        db.delete(posts).where(postsOf(ref)),
        db.delete(outsideSignals).where(outsideOf(ref)),
        db.delete(summaries).where(summariesOf(ref)),
        db.delete(newFiles).where(and(eq(newFiles.tenant, ref.tenant), eq(newFiles.sessionId, ref.id))),
      ]);
    },

    importConversation: (conversation) => importIntoD1(db, conversation),

    async openRound(
      ref,
      { id, userQuery, createdAt, fence, keyId },
    ): Promise<RememberedConversation | undefined> {
      const [, , , session, roundRows, postRows, outsideRows, summaryRows] = await db.batch([
        db
          .update(rounds)
          .set({ state: "failed", error: interruptedError, finishedAt: createdAt })
          .where(
            and(
              roundsOf(ref),
              eq(rounds.seq, lastSeq(ref)),
              eq(rounds.state, "created"),
              ne(rounds.id, id),
              lt(rounds.fence, fence),
            ),
          ),
        db
          .insert(rounds)
          .select(
            db
              .select({
                tenant: sessions.tenant,
                sessionId: sessions.id,
                seq: sql<number>`1 + ${lastSeq(ref)}`.as("seq"),
                id: value(id, "id"),
                userQuery: queryWithNewFiles(ref, { userQuery, createdAt }),
                state: sql<RoundState>`'created'`.as("state"),
                fence: value(fence, "fence"),
                stop: nothing("stop"),
                error: nothing("error"),
                usage: nothing("usage"),
                variables: sessions.variables,
                createdAt: value(createdAt, "created_at"),
                finishedAt: nothing("finished_at"),
                feedback: nothing("feedback"),
                keyId: keyId === undefined ? nothing("key_id") : value(keyId, "key_id"),
              })
              .from(sessions)
              .where(ofSession(ref)),
          )
          .onConflictDoUpdate({
            target: [rounds.tenant, rounds.sessionId, rounds.id],
            set: { fence },
            setWhere: and(lt(rounds.fence, fence), eq(rounds.state, "created"))!,
          }),
        namedNewFiles(db, ref, createdAt),
        ...selectConversation(ref, horizonOf(ref)),
        selectSummaries(ref),
      ]);
      if (!session[0]) return undefined;
      const opened = roundRows.at(-1);
      const isOpen = opened?.state === "created";
      if (opened?.id !== id || (isOpen && opened.fence !== fence)) throw new StaleRunnerError(id, fence);
      return {
        session: toSession(session[0]),
        rounds: toRounds(roundRows, postRows),
        outside: outsideRows.map(toFact),
        ...readSummaries(summaryRows),
      };
    },

    async keepSummaries(ref, at, kept) {
      const [first, ...others] = summaryWrites(db, ref, at, kept);
      if (first) await db.batch([first, ...others]);
    },

    async loadConversation(ref) {
      const [session, roundRows, postRows, outsideRows, summaryRows] = await db.batch([
        ...selectConversation(ref),
        selectSummaries(ref),
      ]);
      if (!session[0]) return undefined;
      return {
        session: toSession(session[0]),
        rounds: toRounds(roundRows, postRows),
        outside: outsideRows.map(toFact),
        ...readSummaries(summaryRows),
      };
    },

    async setSignals(ref, signals) {
      const changes = signalChanges(db, ref, signals);
      const [session, ...results] = await db.batch([
        selectSessions().where(ofSession(ref)),
        ...changes,
        db.select().from(outsideSignals).where(outsideOf(ref)).orderBy(asc(outsideSignals.n)),
      ]);
      if (!session[0]) return undefined;
      return (results.at(-1) as OutsideRow[]).map(toFact);
    },

    async appendPost(ref, at, seq, post) {
      const [, stored] = await db.batch([
        insertPost(held(ref, at), seq, post),
        db
          .select({ id: posts.id })
          .from(posts)
          .where(and(postsOf(ref), eq(posts.roundSeq, at.roundSeq), eq(posts.seq, seq))),
      ]);
      if (stored[0]?.id !== post.id) throw new StaleRunnerError(at.roundId, at.fence);
    },

    async closeRound(ref, at, { state, stop, error, usage, finishedAt }, last) {
      const close = db
        .update(rounds)
        .set({ state, stop: stop ?? null, error: error ?? null, usage, finishedAt })
        .where(held(ref, at));
      const find = db
        .select({ state: rounds.state, fence: rounds.fence })
        .from(rounds)
        .where(and(roundsOf(ref), eq(rounds.seq, at.roundSeq)));
      const add = addToDailyUsage(db, held(ref, at), { state, usage, finishedAt });
      const [stored] = last
        ? (await db.batch([insertPost(held(ref, at), last.seq, last.post), add, close, find]))[3]
        : (await db.batch([add, close, find]))[2];
      if (stored?.state !== state || stored.fence !== at.fence) {
        throw new StaleRunnerError(at.roundId, at.fence);
      }
    },

    noteNewFile: (ref, name, at) => noteNewFile(db, ref, name, at),
    forgetNewFile: (ref, name) => forgetNewFile(db, ref, name),

    async findIdleSessions({ before, limit }) {
      const [found] = await db.batch([
        db
          .select({ tenant: sessions.tenant, id: sessions.id })
          .from(sessions)
          .where(and(lt(sessions.updatedAt, before), lt(changedAt, before), sql`NOT ${isRunning}`))
          .orderBy(asc(sessions.updatedAt))
          .limit(limit),
      ]);
      return found;
    },

    async findOpenRounds({ before, limit }) {
      const [found] = await db.batch([
        db
          .select({
            tenant: rounds.tenant,
            id: rounds.sessionId,
            roundId: rounds.id,
            userQuery: rounds.userQuery,
            createdAt: rounds.createdAt,
          })
          .from(rounds)
          .where(and(sql`state = 'created'`, lt(rounds.createdAt, before)))
          .orderBy(asc(rounds.createdAt))
          .limit(limit),
      ]);
      return found;
    },

    async setFeedback(ref, roundId, feedback) {
      const [changed] = await db.batch([
        db
          .update(rounds)
          .set({ feedback })
          .where(and(roundsOf(ref), eq(rounds.id, roundId)))
          .returning({ id: rounds.id }),
      ]);
      return changed.length > 0;
    },

    async getRound(ref, roundId) {
      const theRound = and(roundsOf(ref), eq(rounds.id, roundId));
      const [found, postRows] = await db.batch([
        db.select().from(rounds).where(theRound),
        db
          .select()
          .from(posts)
          .where(
            and(
              postsOf(ref),
              inArray(posts.roundSeq, db.select({ seq: rounds.seq }).from(rounds).where(theRound)),
            ),
          )
          .orderBy(asc(posts.seq)),
      ]);
      return found[0] && toRound(found[0], postRows);
    },

    async listRounds(ref, { cursor, limit }) {
      const before = cursor ? lt(rounds.seq, Number(cursor)) : undefined;
      const page = db
        .select()
        .from(rounds)
        .where(and(roundsOf(ref), before))
        .orderBy(desc(rounds.seq))
        .limit(limit + 1);
      const pageSeqs = db
        .select({ seq: rounds.seq })
        .from(rounds)
        .where(and(roundsOf(ref), before))
        .orderBy(desc(rounds.seq))
        .limit(limit);
      const [roundRows, postRows] = await db.batch([
        page,
        db
          .select()
          .from(posts)
          .where(and(postsOf(ref), inArray(posts.roundSeq, pageSeqs)))
          .orderBy(asc(posts.roundSeq), asc(posts.seq)),
      ]);
      const items = toRounds(roundRows.slice(0, limit), postRows);
      const last = items.at(-1);
      return { items, ...(roundRows.length > limit && last ? { nextCursor: String(last.seq) } : {}) };
    },
  };
}

/** The round, as long as the writer's lease holds and it hasn't ended. */
function held(ref: SessionRef, at: RoundPosition) {
  return and(
    eq(rounds.tenant, ref.tenant),
    eq(rounds.sessionId, ref.id),
    eq(rounds.seq, at.roundSeq),
    eq(rounds.fence, at.fence),
    eq(rounds.state, "created"),
  );
}

import { and, asc, eq, gt, lt, ne, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Attachment } from "./attachment.ts";
import { held, ofSession, outsideOf, postsOf, roundsOf } from "./d1-conditions.ts";
import { addToDailyUsage } from "./d1-daily-usage.ts";
import { importIntoD1 } from "./d1-import.ts";
import { forgetNewFile, namedNewFiles, noteNewFile, queryWithNewFiles } from "./d1-new-files.ts";
import { signalChanges } from "./d1-outside-signals.ts";
import { roundsInD1 } from "./d1-rounds.ts";
import { toFact, toRounds, type OutsideRow } from "./d1-rows.ts";
import { selectSessions, sessionsInD1, toSession } from "./d1-sessions.ts";
import { horizonOf, readSummaries, summariesOf, summaryWrites } from "./d1-summaries.ts";
import { nothing, value } from "./d1-values.ts";
import type { Post } from "./post.ts";
import type { PostTrace } from "./post-trace.ts";
import type { RoundState } from "./round.ts";
import type { SessionRef } from "./session.ts";
import {
  interruptedError,
  StaleRunnerError,
  type ConversationStore,
  type RememberedConversation,
} from "./store.ts";
import { outsideSignals, posts, rounds, sessions, summaries } from "./tables.ts";

/** The conversation in D1. Every method is one `batch`, which D1 runs as one transaction in one round trip. */
export function createD1Store(database: D1Database): ConversationStore {
  const db = drizzle(database);

  const lastSeq = (ref: SessionRef) => sql<number>`coalesce((SELECT max(seq) FROM rounds
    WHERE tenant = ${ref.tenant} AND session_id = ${ref.id}), 0)`;

  /** All that makes the conversation, or what of it comes after a round. */
  const selectConversation = (ref: SessionRef, after: SQL = sql`0`) =>
    [
      selectSessions(db).where(ofSession(ref)),
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
    ...sessionsInD1(db),
    ...roundsInD1(db),

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
        selectSessions(db).where(ofSession(ref)),
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
  };
}

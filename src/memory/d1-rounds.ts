import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { postsOf, roundsOf } from "./d1-conditions.ts";
import { toRound, toRounds } from "./d1-rows.ts";
import type { ConversationStore } from "./store.ts";
import { posts, rounds } from "./tables.ts";

type RoundMethods = "findOpenRounds" | "setFeedback" | "getRound" | "listRounds";

/** Rounds, for whoever asks for them one by one. */
export function roundsInD1(db: DrizzleD1Database): Pick<ConversationStore, RoundMethods> {
  return {
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

import { and, eq, lt, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { nothing, value } from "./d1-values.ts";
import type { SessionRef } from "./session.ts";
import { outsideSignals, sessions } from "./tables.ts";

/** The statements that set signals from outside: each stands behind the last Post that is stored. */
export function signalChanges(
  db: DrizzleD1Database,
  ref: SessionRef,
  signals: Record<string, string | null>,
) {
  const lastRound = sql`coalesce((SELECT max(seq) FROM rounds WHERE tenant = ${ref.tenant}
    AND session_id = ${ref.id}), 0)`;
  return Object.entries(signals).flatMap(([key, given]) => [
    db.insert(outsideSignals).select(
      db
        .select({
          tenant: sessions.tenant,
          sessionId: sessions.id,
          n: sql<number>`1 + coalesce((SELECT max(n) FROM outside_signals WHERE tenant = ${ref.tenant}
            AND session_id = ${ref.id}), 0)`.as("n"),
          roundSeq: sql<number>`${lastRound}`.as("round_seq"),
          seq: sql<number>`coalesce((SELECT max(seq) FROM posts WHERE tenant = ${ref.tenant}
            AND session_id = ${ref.id} AND round_seq = ${lastRound}), 0)`.as("seq"),
          key: value(key, "key"),
          value: given === null ? nothing("value") : value(given, "value"),
        })
        .from(sessions)
        .where(and(eq(sessions.tenant, ref.tenant), eq(sessions.id, ref.id))),
    ),
    // Of a round the last is enough; those of earlier rounds are what was in force there. Deleted second: the count
    // must not go back.
    db.delete(outsideSignals).where(
      and(
        eq(outsideSignals.tenant, ref.tenant),
        eq(outsideSignals.sessionId, ref.id),
        eq(outsideSignals.key, key),
        eq(outsideSignals.roundSeq, lastRound),
        lt(
          outsideSignals.n,
          sql`(SELECT max(n) FROM outside_signals WHERE tenant = ${ref.tenant} AND session_id = ${ref.id}
              AND key = ${key})`,
        ),
      ),
    ),
  ]);
}

import { and, eq, lt, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { value } from "./d1-values.ts";
import type { SessionRef } from "./session.ts";
import type { RoundPosition } from "./store.ts";
import type { Horizon, Remembered, RoleSummary } from "./summary.ts";
import { rounds, summaries } from "./tables.ts";

/** No role has this alias. */
const HORIZON = "";

export const summariesOf = (ref: SessionRef) =>
  and(eq(summaries.tenant, ref.tenant), eq(summaries.sessionId, ref.id));

/** The last round that isn't loaded any more. */
export const horizonOf = (ref: SessionRef) => sql<number>`coalesce((SELECT up_to FROM summaries
  WHERE tenant = ${ref.tenant} AND session_id = ${ref.id} AND role = ${HORIZON}), 0)`;

/** The statements that keep them, as long as the round's lease holds. */
export function summaryWrites(
  db: DrizzleD1Database,
  ref: SessionRef,
  at: RoundPosition,
  kept: { summaries: RoleSummary[]; horizon?: Horizon | undefined },
) {
  return summaryRows(kept).map((row) =>
    db
      .insert(summaries)
      .select(
        db
          .select({
            tenant: rounds.tenant,
            sessionId: rounds.sessionId,
            role: value(row.role, "role"),
            upTo: value(row.upTo, "up_to"),
            text: value(row.text, "text"),
          })
          .from(rounds)
          .where(
            and(
              eq(rounds.tenant, ref.tenant),
              eq(rounds.sessionId, ref.id),
              eq(rounds.seq, at.roundSeq),
              eq(rounds.fence, at.fence),
            ),
          ),
      )
      .onConflictDoUpdate({
        target: [summaries.tenant, summaries.sessionId, summaries.role],
        set: { upTo: row.upTo, text: row.text },
        setWhere: lt(summaries.upTo, row.upTo),
      }),
  );
}

/** The horizon is kept as one more summary. */
export function summaryRows({
  summaries: ofRoles,
  horizon,
}: {
  summaries: RoleSummary[];
  horizon?: Horizon | undefined;
}): RoleSummary[] {
  if (!horizon) return ofRoles;
  const { upTo, ...left } = horizon;
  return [...ofRoles, { role: HORIZON, upTo, text: JSON.stringify(left) }];
}

export function readSummaries(rows: RoleSummary[]): Remembered {
  const horizon = rows.find(({ role }) => role === HORIZON);
  return {
    summaries: rows.filter(({ role }) => role !== HORIZON),
    ...(horizon
      ? { horizon: { upTo: horizon.upTo, ...(JSON.parse(horizon.text) as Omit<Horizon, "upTo">) } }
      : {}),
  };
}

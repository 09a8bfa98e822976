import { and, asc, eq, gte, lte, sql, type SQL } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { drizzle } from "drizzle-orm/d1";
import { value } from "./d1-values.ts";
import { dayOf, type DailyUsage } from "./daily-usage.ts";
import type { RoundEnd } from "./store.ts";
import { dailyUsage, rounds } from "./tables.ts";

/** Adds a round that ends to its day and key: in the batch that ends it, and before that, so that it is added once. */
export function addToDailyUsage(
  db: DrizzleD1Database,
  theRound: SQL | undefined,
  { state, usage, finishedAt }: Pick<RoundEnd, "state" | "usage" | "finishedAt">,
) {
  const added = {
    rounds: 1,
    failedRounds: state === "failed" ? 1 : 0,
    modelCalls: usage.modelCalls,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    modelMs: usage.modelMs,
    sandboxMs: usage.sandboxMs,
  };
  const count = (name: keyof typeof added) => value(Math.round(added[name]), dailyUsage[name].name);
  const plus = (name: keyof typeof added) => sql`${dailyUsage[name]} + ${Math.round(added[name])}`;
  return db
    .insert(dailyUsage)
    .select(
      db
        .select({
          tenant: rounds.tenant,
          day: value(dayOf(finishedAt), "day"),
          keyId: sql<string>`coalesce(${rounds.keyId}, '')`.as("key_id"),
          rounds: count("rounds"),
          failedRounds: count("failedRounds"),
          modelCalls: count("modelCalls"),
          promptTokens: count("promptTokens"),
          completionTokens: count("completionTokens"),
          modelMs: count("modelMs"),
          sandboxMs: count("sandboxMs"),
        })
        .from(rounds)
        .where(theRound),
    )
    .onConflictDoUpdate({
      target: [dailyUsage.tenant, dailyUsage.day, dailyUsage.keyId],
      set: {
        rounds: plus("rounds"),
        failedRounds: plus("failedRounds"),
        modelCalls: plus("modelCalls"),
        promptTokens: plus("promptTokens"),
        completionTokens: plus("completionTokens"),
        modelMs: plus("modelMs"),
        sandboxMs: plus("sandboxMs"),
      },
    });
}

/** What a tenant has used, by day and key; oldest day first. */
export async function readDailyUsage(
  database: D1Database,
  { tenant, from, to }: { tenant: string; from: string; to: string },
): Promise<DailyUsage[]> {
  const db = drizzle(database);
  const [found] = await db.batch([
    db
      .select()
      .from(dailyUsage)
      .where(and(eq(dailyUsage.tenant, tenant), gte(dailyUsage.day, from), lte(dailyUsage.day, to)))
      .orderBy(asc(dailyUsage.day), asc(dailyUsage.keyId)),
  ]);
  return found.map(({ tenant: _tenant, ...row }) => row);
}

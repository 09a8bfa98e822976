import { Hono } from "hono";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

export const usageRoutes = new Hono<HttpEnv>().get("/v1/usage", async (c) => {
  const to = dayOf(c.req.query("to"), Date.now());
  const from = dayOf(c.req.query("from"), Date.parse(to) - (DAYS - 1) * DAY_MS);
  const used = await c.var.deployment.dailyUsage({ tenant: c.var.tenant, from, to });
  return c.json({
    data: used.map((row) => ({
      day: row.day,
      key: row.keyId,
      rounds: row.rounds,
      failed_rounds: row.failedRounds,
      model_calls: row.modelCalls,
      prompt_tokens: row.promptTokens,
      completion_tokens: row.completionTokens,
      model_ms: row.modelMs,
      sandbox_ms: row.sandboxMs,
    })),
    next_cursor: null,
  });
});

function dayOf(given: string | undefined, otherwise: number): string {
  if (given === undefined) return new Date(otherwise).toISOString().slice(0, 10);
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))) return given;
  throw new HttpProblem(422, "invalid_day", "from and to are days in UTC, as 2026-11-21.");
}

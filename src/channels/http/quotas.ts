import type { Context, MiddlewareHandler } from "hono";
import { dayOf } from "../../memory/daily-usage.ts";
import type { HeldRound } from "../../quota/quota.ts";
import type { RoundRequest } from "../../session/session.ts";
import type { Deployment } from "../channel.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";

/** A round that was given a place and isn't anywhere after so long has never come to be. */
const COMING_MS = 30_000;

/** Counts the request against what its key may use. Where no quota is set, nothing is asked and nothing is counted. */
export const limitRequests: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const { config, quota, rateLimiter } = c.var.deployment;
  const { caller } = c.var;
  if (rateLimiter && !(await rateLimiter.limit({ key: `${caller.tenant}/${caller.keyId}` })).success) {
    throw tooMany("rate_limited", "This key has sent too many requests. Wait a minute.", 60);
  }
  const limit = config.http.quotas?.requestsPerMinute;
  if (limit === undefined) return next();
  const left = await quota(caller).takeRequest({ limit });
  const headers = {
    "ratelimit-policy": `"requests";q=${limit};w=60`,
    ratelimit: `"requests";r=${left.remaining};t=${left.resetSeconds}`,
  };
  if (!left.allowed) {
    const detail = `This key may send ${limit} requests a minute. The count begins anew in ${left.resetSeconds} s.`;
    throw tooMany("rate_limited", detail, left.resetSeconds, headers);
  }
  await next();
  if (c.res.status === 101) return undefined;
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  return undefined;
};

/**
 * Takes a place among the rounds that the key may have at once, and sees that it has tokens left today. Gives what frees
 * the place. @throws HttpProblem 429
 */
export async function beginRound(c: Context<HttpEnv>, request: RoundRequest): Promise<() => Promise<void>> {
  const { deployment, caller } = c.var;
  const { roundsAtOnce: limit, tokensPerDay } = deployment.config.http.quotas ?? {};
  if (tokensPerDay !== undefined) await checkTokens(c, tokensPerDay);
  if (limit === undefined) return async () => {};
  const quota = deployment.quota(caller);
  const round = { id: request.sessionId, roundId: request.roundId, since: Date.now() };
  let outcome = await quota.beginRound({ limit, round, ended: [] });
  if (outcome.kind === "full") {
    const ended = await findEnded(deployment, caller.tenant, outcome.held);
    outcome = ended.length > 0 ? await quota.beginRound({ limit, round, ended }) : outcome;
  }
  if (outcome.kind === "full") {
    throw tooMany("too_many_rounds", `This key may have ${limit} rounds at once. Wait for one to end.`, 5);
  }
  return () => quota.endRound(request.roundId);
}

async function findEnded(
  { messageServices }: Deployment,
  tenant: string,
  held: HeldRound[],
): Promise<string[]> {
  const isOver = async ({ id, roundId, since }: HeldRound) => {
    const { store, sessionClient } = await messageServices({ tenant, id });
    const round = await store.getRound({ tenant, id }, roundId);
    if (round) return round.state !== "created";
    return Date.now() - since > COMING_MS && !(await sessionClient.findRequest(roundId));
  };
  const over = await Promise.all(held.map(isOver));
  return held.filter((_, index) => over[index]).map(({ roundId }) => roundId);
}

async function checkTokens(c: Context<HttpEnv>, limit: number): Promise<void> {
  const { deployment, caller } = c.var;
  const now = Date.now();
  const today = dayOf(now);
  const rows = await deployment.dailyUsage({ tenant: caller.tenant, from: today, to: today });
  const used = rows
    .filter(({ keyId }) => keyId === caller.keyId)
    .reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);
  if (used < limit) return;
  const seconds = Math.ceil((Date.parse(dayOf(now + 24 * 3600_000)) - now) / 1000);
  throw tooMany("token_quota", `This key has used ${used} of its ${limit} tokens today (UTC).`, seconds);
}

function tooMany(
  code: string,
  detail: string,
  seconds: number,
  more: Record<string, string> = {},
): HttpProblem {
  return new HttpProblem(429, code, detail, { headers: { "retry-after": String(seconds), ...more } });
}

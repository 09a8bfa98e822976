import type { Deployment } from "./channels/channel.ts";

/** A round that is open for so long is looked after; if somebody runs it, that changes nothing. */
const OPEN_FOR_MS = 2 * 60_000;
const ROUNDS_AT_ONCE = 100;

/**
 * Hands every round that is still open to its session's object once more, for the case that its alarm was lost: the
 * object finds that it is being run, or has it taken up from its last Post.
 */
export async function takeUpRounds(
  { store, config, messageServices }: Deployment,
  now: number,
): Promise<number> {
  const open = await store.findOpenRounds({ before: now - OPEN_FOR_MS, limit: ROUNDS_AT_ONCE });
  for (const { tenant, id: sessionId, roundId, userQuery, createdAt } of open) {
    const { sessionClient } = await messageServices({ tenant, id: sessionId });
    const request = { tenant, sessionId, roundId, userQuery, createdAt };
    await sessionClient.enqueue({ request, leaseMs: config.limits.leaseMs });
  }
  return open.length;
}

import { createRoundEvents, type SessionEvent } from "../events/event.ts";
import type { Round, Usage } from "../memory/round.ts";
import type { Lease, RoundRequest } from "../session/session.ts";
import { runRound, type RoundServices } from "./run-round.ts";

export type HostedRound = { kind: "round"; round: Round } | { kind: "no_session" } | { kind: "handed_over" };

/** A round that is over sooner can't be cancelled in time anyway, and is spared a call. */
const LISTEN_AFTER_MS = 50;

/**
 * Runs a round under a lease, wherever this is called: rebuilds the conversation, keeps the lease alive while a turn
 * takes long, listens for a cancellation. The same for the request that waits and for the alarm that takes up a round.
 */
export async function hostRound(options: {
  request: RoundRequest;
  lease: Lease;
  services: RoundServices;
  onEvent?: (event: SessionEvent) => void;
  shouldHandOver?: () => boolean;
}): Promise<HostedRound> {
  const { request, lease, services, onEvent } = options;
  const { store, sessionClient, usage, limits } = services;
  const { fence } = lease;
  const ref = { tenant: request.tenant, id: request.sessionId };
  if (lease.usage) addUsage(usage, lease.usage);
  usage.queueMs = lease.startedAt - request.createdAt;
  const events = createRoundEvents({
    sessionId: ref.id,
    roundId: request.roundId,
    nextEventId: lease.nextEventId,
    listeners: onEvent ? [onEvent] : [],
  });
  const cancelled = new AbortController();
  if (lease.cancelled) cancelled.abort();
  const listening = setTimeout(() => {
    const abortIfCancelled = (outcome: string) => outcome === "cancelled" && cancelled.abort();
    // Should the object be restarted meanwhile, a cancellation is noticed when the round is taken up again.
    sessionClient.untilCancelled({ fence }).then(abortIfCancelled, () => {});
  }, LISTEN_AFTER_MS);
  const heartbeat = setInterval(
    () => void sessionClient.renew({ fence }).catch(() => {}),
    limits.leaseMs / 3,
  );
  try {
    const { roundId: id, userQuery, createdAt, keyId } = request;
    const conversation = await store.openRound(ref, { id, userQuery, createdAt, fence, keyId });
    if (!conversation) {
      await sessionClient.end({ fence, events: [], failed: true });
      return { kind: "no_session" };
    }
    const round = await runRound({
      ...services,
      ...conversation,
      lease,
      events,
      abort: cancelled.signal,
      ...(options.shouldHandOver ? { shouldHandOver: options.shouldHandOver } : {}),
    });
    return round ? { kind: "round", round } : { kind: "handed_over" };
  } finally {
    clearTimeout(listening);
    clearInterval(heartbeat);
  }
}

function addUsage(usage: Usage, earlier: Usage): void {
  usage.modelCalls += earlier.modelCalls;
  usage.promptTokens += earlier.promptTokens;
  usage.completionTokens += earlier.completionTokens;
  usage.modelMs += earlier.modelMs;
  usage.sandboxMs += earlier.sandboxMs;
  usage.d1.roundTrips += earlier.d1.roundTrips;
  usage.d1.rowsRead += earlier.d1.rowsRead;
  usage.d1.rowsWritten += earlier.d1.rowsWritten;
  usage.sessionCalls += earlier.sessionCalls;
}

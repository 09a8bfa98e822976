import { createRoundEvents, type SessionEvent } from "../events/event.ts";
import { createId } from "../lib/id.ts";
import { withAddedFiles } from "../memory/added-files.ts";
import type { Round } from "../memory/round.ts";
import type { SessionRef } from "../memory/session.ts";
import { StaleRunnerError } from "../memory/store.ts";
import type { RoundRequest } from "../session/session.ts";
import { hostRound } from "./host-round.ts";
import type { RoundServices } from "./run-round.ts";

export type MessageOutcome = { kind: "round"; round: Round } | { kind: "no_session" } | { kind: "busy" };

interface Message {
  ref: SessionRef;
  message: string;
  files: MessageFile[];
  /** Of the round, when the message is one that may come again. */
  roundId?: string | undefined;
  keyId?: string | undefined;
}

export interface MessageFile {
  name: string;
  /** Puts it into the session's uploads. */
  put(): Promise<void>;
}

/**
 * Makes a message ready to be accepted: its files are durable before its round is. Undefined when there is no such
 * session to put them into.
 */
export async function prepareRound(
  { ref, message, files, roundId = createId("round"), keyId }: Message,
  { store }: RoundServices,
): Promise<RoundRequest | undefined> {
  if (files.length > 0 && !(await store.getSession(ref))) return undefined;
  for (const file of files) await file.put();
  return {
    tenant: ref.tenant,
    sessionId: ref.id,
    roundId,
    userQuery: withAddedFiles(
      message,
      files.map(({ name }) => name),
    ),
    createdAt: Date.now(),
    ...(keyId === undefined ? {} : { keyId }),
  };
}

/** A round from its acceptance to its end, as the one who waits for it sees it. */
export async function runAndWait(options: {
  request: RoundRequest;
  /** Gives up rather than wait when another round is running. */
  rejectIfBusy: boolean;
  services: RoundServices;
  onEvent: (event: SessionEvent) => void;
}): Promise<MessageOutcome> {
  const { request, rejectIfBusy, services, onEvent } = options;
  const { sessionId, roundId } = request;
  let lastId = 0;
  const listen = (event: SessionEvent) => {
    lastId = event.id ?? lastId;
    onEvent(event);
  };
  const queueEvents = createRoundEvents({ sessionId, roundId, listeners: [onEvent] });
  const begun = await services.sessionClient.begin({
    request,
    leaseMs: services.limits.leaseMs,
    rejectIfBusy,
    onQueued: (position) => queueEvents.emit("round_queued", { position }),
  });
  if (begun.kind === "busy") return begun;
  if (begun.kind === "granted") {
    try {
      const hosted = await hostRound({ request, lease: begun.lease, services, onEvent: listen });
      if (hosted.kind !== "handed_over") return hosted;
    } catch (error) {
      // What goes wrong here is this handler's trouble: the round is accepted, and its object has it taken up.
      if (!(error instanceof StaleRunnerError))
        console.error("A handler lost its round and follows it.", error);
    }
  }
  return follow(request, services, lastId, listen);
}

/** Tells of a round that somebody else runs, to its end. */
async function follow(
  { tenant, sessionId, roundId }: RoundRequest,
  { store, sessionClient }: RoundServices,
  after: number,
  onEvent: (event: SessionEvent) => void,
): Promise<MessageOutcome> {
  for (let last = after; ;) {
    const { events } = await sessionClient.eventsAfter({ after: last, waitMs: 10_000 });
    for (const event of events) {
      last = event.id!;
      if (event.round_id === roundId) onEvent(event);
      if (event.round_id !== roundId || event.type !== "round_end") continue;
      const round = await store.getRound({ tenant, id: sessionId }, roundId);
      return round ? { kind: "round", round } : { kind: "no_session" };
    }
    if (events.length === 0 && !(await sessionClient.findRequest(roundId))) {
      // Neither waiting nor running, and its end wasn't told: it ended before there was anything to tell.
      const round = await store.getRound({ tenant, id: sessionId }, roundId);
      return round ? { kind: "round", round } : { kind: "no_session" };
    }
  }
}

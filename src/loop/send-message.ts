import { createEmitter, type SessionEvent } from "../events/event.ts";
import type { SessionFiles } from "../files/files.ts";
import { createId } from "../lib/id.ts";
import { PLANNER, USER } from "../memory/post.ts";
import type { Round, Usage } from "../memory/round.ts";
import type { SessionRef } from "../memory/session.ts";
import type { ConversationStore } from "../memory/store.ts";
import type { SessionClient } from "../session/session.ts";
import { runRound, type RoundLimits } from "./run-round.ts";
import type { Abilities } from "./turn.ts";

export interface MessageServices {
  store: ConversationStore;
  sessionClient: SessionClient;
  files: SessionFiles;
  abilities: Abilities;
  contextId: string;
  limits: RoundLimits;
  usage: Usage;
}

export type MessageOutcome = { kind: "round"; round: Round } | { kind: "no_session" } | { kind: "busy" };

/** A user's message from its arrival to the end of its round: waits its turn, rebuilds the conversation, runs. */
export async function sendMessage(options: {
  ref: SessionRef;
  message: string;
  files: { name: string; content: Uint8Array }[];
  /** Gives up rather than wait when another round is running. */
  rejectIfBusy: boolean;
  services: MessageServices;
  onEvent: (event: SessionEvent) => void;
  abort: AbortSignal;
}): Promise<MessageOutcome> {
  const { ref, files, services, onEvent } = options;
  const { store, sessionClient, usage } = services;
  const roundId = createId("round");
  const createdAt = Date.now();

  if (files.length > 0 && !(await store.getSession(ref))) return { kind: "no_session" };
  const queueEvents = createEmitter({ sessionId: ref.id, roundId, listeners: [onEvent] });
  const lease = await sessionClient.begin({
    roundId,
    reject: options.rejectIfBusy,
    onQueued: (position) => queueEvents.emit("round_queued", { position }),
  });
  if (!lease) return { kind: "busy" };
  usage.queueMs = lease.queueMs;
  const events = createEmitter({
    sessionId: ref.id,
    roundId,
    nextEventId: lease.nextEventId,
    listeners: [onEvent],
  });
  try {
    // Uploaded under the lease: a round that still runs doesn't see the files of the next one.
    for (const { name, content } of files) await services.files.putUpload(name, content);
    const userQuery = withFileNames(options.message, files);
    const conversation = await store.openRound(ref, {
      id: roundId,
      userQuery,
      createdAt,
      firstPost: {
        id: createId("post"),
        sendFrom: USER,
        sendTo: PLANNER,
        message: userQuery,
        attachments: [],
      },
      fence: lease.fence,
    });
    if (!conversation) return { kind: "no_session" };
    const round = await runRound({ ...services, ...conversation, lease, events, abort: options.abort });
    return { kind: "round", round };
  } finally {
    await sessionClient.end({ fence: lease.fence, nextEventId: events.nextEventId() });
  }
}

function withFileNames(message: string, files: { name: string }[]): string {
  return files.length === 0
    ? message
    : `files added: ${files.map(({ name }) => name).join(", ")}.\n${message}`;
}

import type { SessionEvent } from "../events/event.ts";
import type { Usage } from "../memory/round.ts";

export type { Usage };

/** A message that was accepted: all that it takes to run its round, by whoever does. */
export interface RoundRequest {
  tenant: string;
  sessionId: string;
  roundId: string;
  userQuery: string;
  createdAt: number;
}

/** What the holder of a session's lease is given. */
export interface Lease {
  /** Grows with every lease; a writer with an older one is refused by the store. */
  fence: number;
  /** How often the round was given to a runner, this time included. */
  attempt: number;
  /** The id of the round's next stored event. */
  nextEventId: number;
  /** What listeners were told for good by earlier runners of this round. */
  told: { started: boolean; endedPosts: string[] };
  /** What turns of this round have put down so far. */
  checkpoints: Record<string, unknown>;
  /** Somebody wants the round to end. */
  cancelled: boolean;
  /** When the round's first runner began. */
  startedAt: number;
  /** What earlier runners of the round have counted. */
  usage: Usage | null;
}

export type BeginOutcome =
  | { kind: "granted"; lease: Lease }
  /** Another round is running and `rejectIfBusy` was set: the round was not accepted. */
  | { kind: "busy" }
  /** Somebody else runs the round, or has run it. */
  | { kind: "elsewhere" };

/**
 * The session's coordinator as a runner sees it: rounds in their order, one at a time. Every method is one call to the
 * session's object, wherever that lives. A runner whose lease was given on gets StaleRunnerError.
 */
export interface SessionClient {
  /** Accepts the round durably, waits until it is its turn, and takes the lease. */
  begin(options: {
    request: RoundRequest;
    leaseMs: number;
    rejectIfBusy?: boolean;
    onQueued?: (position: number) => void;
  }): Promise<BeginOutcome>;
  /** Accepts the round durably; the object sees to it that it is run. */
  enqueue(options: { request: RoundRequest; leaseMs: number }): Promise<void>;
  /** After a Post is stored: keeps the events, and the lease. */
  commit(options: { fence: number; events: SessionEvent[]; usage: Usage }): Promise<void>;
  /** The runner is alive, though it has nothing to tell. */
  renew(options: { fence: number }): Promise<void>;
  /** The runner stops at a Post's boundary; the object finds another one. */
  release(options: { fence: number; events: SessionEvent[]; usage: Usage }): Promise<void>;
  checkpoint(options: { fence: number; key: string; value: unknown }): Promise<void>;
  end(options: { fence: number; events: SessionEvent[] }): Promise<void>;
  /** Resolves when the round is to be cancelled, or the lease is over. */
  untilCancelled(options: { fence: number }): Promise<"cancelled" | "over">;
  /** False when the round is neither waiting nor running. */
  cancel(roundId: string): Promise<boolean>;
  /** The request of a round that waits or runs. */
  findRequest(roundId: string): Promise<RoundRequest | undefined>;
  /** Stored events after an id; waits for one when there is none. `forgotten`: events after the id are gone. */
  eventsAfter(options: {
    after: number;
    waitMs: number;
  }): Promise<{ events: SessionEvent[]; forgotten: boolean }>;
  /** Forgets everything about the session. */
  destroy(): Promise<void>;
}

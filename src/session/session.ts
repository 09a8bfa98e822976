import type { SessionEvent } from "../events/event.ts";
import type { Usage } from "../memory/round.ts";
import type { Fact, SharedState } from "../memory/shared-state.ts";

export type { Usage };

/** The session's variables as somebody knows them. */
export interface HeldVariables {
  version: number;
  values: Record<string, string>;
}

/** What came to the session's object from outside since a runner told what it knows. */
export interface News {
  facts: Fact[];
  /** Absent when the runner has the newest ones. */
  variables?: HeldVariables;
}

/** What a runner tells of the conversation, and what it knows of what came from outside. */
export interface FactsReport {
  roundSeq: number;
  /** All that the conversation says, from a replay of it: what is held gives way to it. */
  replayed?: Fact[];
  /** What the Post says that was just stored. */
  added?: Fact[];
  /** The last `n` from outside that the runner knows of. */
  outsideSeen: number;
  /** The session's variables that the runner works with. */
  variables: HeldVariables;
}

/** A message that was accepted: all that it takes to run its round, by whoever does. */
export interface RoundRequest {
  tenant: string;
  sessionId: string;
  roundId: string;
  userQuery: string;
  createdAt: number;
  /** The API key that asked for it. */
  keyId?: string;
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

export interface Commit {
  fence: number;
  events: SessionEvent[];
  facts: FactsReport;
  usage: Usage;
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
  /** After a Post is stored: keeps events, facts and the lease. Gives what came from outside since the runner looked. */
  commit(options: Commit): Promise<News>;
  /** The runner is alive, though it has nothing to tell. */
  renew(options: { fence: number }): Promise<void>;
  /** The runner stops at a Post's boundary; the object finds another one. */
  release(options: Commit): Promise<void>;
  checkpoint(options: { fence: number; key: string; value: unknown }): Promise<void>;
  /** The round has ended; what a failed one shared goes with it. */
  end(options: {
    fence: number;
    events: SessionEvent[];
    facts?: FactsReport;
    failed: boolean;
  }): Promise<void>;
  /** What roles share now; undefined when the object hasn't been told yet, so that only the store knows. */
  sharedState(): Promise<SharedState | undefined>;
  /** Tells what was set from outside, once it is stored. */
  tellOutside(news: News): Promise<void>;
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
  /** A WebSocket that is told stored events after an id; the snapshot goes first when some of them are gone. */
  watch(options: { after: number; snapshot: SessionEvent }): Promise<Response>;
  /** Forgets everything about the session. */
  destroy(): Promise<void>;
}

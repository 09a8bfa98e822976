import type { SessionRef } from "../memory/session.ts";

export interface RequestsLeft {
  allowed: boolean;
  remaining: number;
  /** When the count begins anew. */
  resetSeconds: number;
}

/** A round that a key has running, or waiting. */
export type HeldRound = Pick<SessionRef, "id"> & { roundId: string; since: number };

/** Counts exactly what one key uses. Every method is one call to the key's object. */
export interface KeyQuota {
  takeRequest(options: { limit: number }): Promise<RequestsLeft>;
  /**
   * Takes a place for a round, or says which ones hold the places. A place that isn't given back (its handler is gone) is
   * freed by whoever finds that its round has ended.
   */
  beginRound(options: {
    limit: number;
    round: HeldRound;
    ended: string[];
  }): Promise<{ kind: "begun" } | { kind: "full"; held: HeldRound[] }>;
  endRound(roundId: string): Promise<void>;
}

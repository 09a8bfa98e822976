/** What the holder of a session's lease is given. */
export interface Lease {
  /** Grows with every lease; a writer with an older one is refused by the store. */
  fence: number;
  /** The id of the round's next stored event. */
  nextEventId: number;
  /** What turns of this round have put down so far. */
  checkpoints: Record<string, unknown>;
  /** How long the round waited for the ones before it. */
  queueMs: number;
}

/**
 * The session's coordinator as its runner sees it: one round at a time. Every method is one call to the session's
 * object, wherever that lives.
 */
export interface SessionClient {
  /** Waits for its turn and takes the lease; undefined when `reject` is set and the session is busy. */
  begin(options: {
    roundId: string;
    reject?: boolean;
    onQueued?: (position: number) => void;
  }): Promise<Lease | undefined>;
  /** Tells that the runner is alive: after a Post is stored. */
  commit(options: { fence: number; nextEventId: number }): Promise<void>;
  checkpoint(options: { fence: number; key: string; value: unknown }): Promise<void>;
  end(options: { fence: number; nextEventId: number }): Promise<void>;
  /** Forgets everything about the session. */
  destroy(): Promise<void>;
}

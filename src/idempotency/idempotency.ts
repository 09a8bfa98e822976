export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface KeyedRequest {
  tenant: string;
  key: string;
  /** The same for the same request only. */
  fingerprint: string;
}

export type ClaimOutcome =
  /** The request is to be worked on; the claim is also the id of the round that it starts, however often it is tried. */
  | { kind: "claimed"; claim: string; isFirst: boolean }
  /** Somebody works on it. */
  | { kind: "in_progress" }
  /** The key came with another request before. */
  | { kind: "other_request" }
  | { kind: "answered"; answer: KeptAnswer };

/** Requests that may come again, each answered once: the second time gets what the first one got. */
export interface IdempotentRequests {
  claim(request: KeyedRequest): Promise<ClaimOutcome>;
  /** Kept for a day. */
  keep(request: KeyedRequest, claim: string, answer: KeptAnswer): Promise<void>;
  /** Nothing came of it: another request may have the key. */
  forget(request: KeyedRequest, claim: string): Promise<void>;
  /** Something may have come of it: whoever tries again goes on with the claim. */
  handOver(request: KeyedRequest, claim: string): Promise<void>;
  /** Forgets what is kept for long enough; gives how many. */
  forgetOld(now: number): Promise<number>;
}

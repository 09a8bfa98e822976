import type { Caller } from "./key.ts";

export type KeyFinding =
  | { kind: "caller"; caller: Caller }
  | { kind: "unknown" }
  | { kind: "expired" }
  | { kind: "revoked" };

/** The keys that a deployment's owner has made. */
export interface ApiKeys {
  /** Whose key it is. What is known of a key is good for half a minute: so long a revoked one may still be taken. */
  find(key: string): Promise<KeyFinding>;
  hasAny(): Promise<boolean>;
}

/** What a key is good for: reading, working in sessions (which includes reading), everything. */
export const scopes = ["read", "chat", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Who speaks, once that is known. */
export interface Caller {
  tenant: string;
  /** Names the key in logs, receipts and quotas; never the key itself. */
  keyId: string;
  scopes: readonly Scope[];
}

const includes: Record<Scope, readonly Scope[]> = {
  read: ["read"],
  chat: ["read", "chat"],
  admin: ["read", "chat", "admin"],
};

export function mayDo({ scopes: held }: Pick<Caller, "scopes">, needed: Scope): boolean {
  return held.some((scope) => includes[scope].includes(needed));
}

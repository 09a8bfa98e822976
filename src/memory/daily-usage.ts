/** What the rounds of one key have cost on one day. */
export interface DailyUsage {
  /** In UTC, as 2026-11-21. */
  day: string;
  /** Empty for rounds that no key asked for. */
  keyId: string;
  rounds: number;
  failedRounds: number;
  modelCalls: number;
  promptTokens: number;
  completionTokens: number;
  modelMs: number;
  sandboxMs: number;
}

/** The day of a time, in UTC. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

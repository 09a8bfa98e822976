import type { Fact } from "./shared-state.ts";

/** What a role remembers of rounds that its prompts no longer show. */
export interface RoleSummary {
  /** Its alias. */
  role: string;
  /** The last round that it covers. */
  upTo: number;
  text: string;
}

/** What still counts of the rounds that nobody needs to see again, up to one: they aren't loaded for a new round. */
export interface Horizon {
  upTo: number;
  facts: Fact[];
  /** The interpreter memory that code ran in last. */
  generation?: string;
  /** Tokens that the rounds have cost. */
  tokens: number;
}

/** What stands for a conversation's older rounds. */
export interface Remembered {
  summaries: RoleSummary[];
  horizon?: Horizon;
}

/**
 * What of it still holds for the same conversation up to an earlier round. A horizon stands on all summaries: who loses
 * one has to be shown the rounds again.
 */
export function rememberedUpTo({ summaries, horizon }: Remembered, lastSeq: number): Remembered {
  const kept = summaries.filter(({ upTo }) => upTo <= lastSeq);
  const isWhole = kept.length === summaries.length && (horizon?.upTo ?? 0) <= lastSeq;
  return { summaries: kept, ...(isWhole && horizon ? { horizon } : {}) };
}

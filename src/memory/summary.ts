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

import { RoundFailure } from "../lib/round-failure.ts";
import type { Usage } from "../memory/round.ts";
import type { RoundContext } from "./run-round.ts";

/** A turn isn't begun with nothing left to spend; the one that spends the last may end. */
export function checkTokens({ limits, usage, rounds, horizon }: RoundContext): void {
  const spent = tokensOf(usage);
  if (limits.roundTokens !== undefined && spent >= limits.roundTokens) {
    throw new RoundFailure(
      "token_limit",
      `The round has used ${spent} of the ${limits.roundTokens} tokens that it may. Ask for less at once, or raise session.max_round_tokens.`,
    );
  }
  const inAll = rounds
    .slice(0, -1)
    .reduce((sum, round) => sum + (round.usage ? tokensOf(round.usage) : 0), spent + (horizon?.tokens ?? 0));
  if (limits.sessionTokens !== undefined && inAll >= limits.sessionTokens) {
    throw new RoundFailure(
      "token_limit",
      `The session has used ${inAll} of the ${limits.sessionTokens} tokens that it may. Start a new session, or raise session.max_session_tokens.`,
    );
  }
}

export const tokensOf = ({ promptTokens, completionTokens }: Usage): number =>
  promptTokens + completionTokens;

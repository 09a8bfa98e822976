import { writeRound } from "../memory/conversation-file.ts";
import type { Round } from "../memory/round.ts";
import { showTemporal } from "../memory/temporal.ts";
import type { RawConversation } from "./experience.ts";

/** What a thin record keeps of the attachments: the plan tells how the request was gone about. */
const KEPT = "plan";

/**
 * Rounds in TaskWeaver's `raw_exp_` format. What was meant only for its moment is left out; a thin record has of all
 * attachments only the plans.
 */
export function toRawConversation(id: string, rounds: Round[], { thin }: { thin: boolean }): RawConversation {
  return {
    id,
    plugins: [],
    roles: [...new Set(rounds.flatMap(({ posts }) => posts.map(({ sendFrom }) => sendFrom)))],
    enabled: true,
    rounds: rounds.map((round) => {
      const { id: roundId, user_query, state, post_list } = writeRound(round);
      const posts = post_list.map((post) => ({
        ...post,
        message: showTemporal(post.message, false),
        attachment_list: post.attachment_list.filter(({ type }) => !thin || type === KEPT),
      }));
      return { id: roundId, user_query, state, post_list: posts };
    }),
  };
}

import type { Post } from "./post.ts";
import type { Round } from "./round.ts";
import { showTemporal } from "./temporal.ts";

/**
 * The conversation as one role knows it: the posts that it sent or received, in rounds that did not fail. Rounds in
 * which it took no part stay as empty ones, so that the count of rounds is everybody's.
 */
export function roleView(rounds: Round[], alias: string): Round[] {
  const current = rounds.at(-1);
  return rounds
    .filter((round) => round.state !== "failed")
    .map((round) => ({
      ...round,
      posts: round.posts
        .filter((post) => post.sendFrom === alias || post.sendTo === alias)
        .map((post): Post => ({ ...post, message: showTemporal(post.message, round === current) })),
    }));
}

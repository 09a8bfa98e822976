import type { Turn } from "./role.ts";

/** Goes back to the role itself with what to mend, or, after too many tries, to whoever gave the instruction. */
export function correctOrReport(
  turn: Turn<{ max_retry_count: number }>,
  report: string,
  reviseMessage: string,
): void {
  turn.post.write(report);
  if (triesSoFar(turn) >= turn.config.max_retry_count) return;
  turn.post.sendTo(turn.alias);
  turn.post.attach("revise_message", reviseMessage);
}

/** Corrections of the present instruction: the own Posts to oneself since somebody else asked last. */
function triesSoFar(turn: Turn<unknown>): number {
  const posts = turn.memory.rounds.at(-1)?.posts ?? [];
  return posts.length - 1 - posts.findLastIndex(({ sendFrom }) => sendFrom !== turn.alias);
}

import { attachmentText } from "./attachment.ts";
import type { Round } from "./round.ts";

export const BOARD = "board";

/** The bulletins of a round by role alias; a role's later bulletin replaces its earlier one. */
export function boardOf(round: Round): Map<string, string> {
  const board = new Map<string, string>();
  for (const post of round.posts) {
    for (const attachment of post.attachments) {
      if (attachment.type === BOARD) board.set(post.sendFrom, attachmentText(attachment));
    }
  }
  return board;
}

import { attachmentText } from "./attachment.ts";
import type { Round } from "./round.ts";

export const SIGNAL = "signal";

/** `key:value`, split at the first colon: the value may hold more of them. */
export function parseSignal(content: string): { key: string; value: string } {
  const colon = content.indexOf(":");
  return colon < 0
    ? { key: content.trim(), value: "" }
    : { key: content.slice(0, colon).trim(), value: content.slice(colon + 1).trim() };
}

/** The session's signals after these rounds. A failed round doesn't take its signals back. */
export function signalsOf(rounds: Round[]): Map<string, string> {
  const signals = new Map<string, string>();
  for (const round of rounds) {
    for (const post of round.posts) {
      for (const attachment of post.attachments) {
        if (attachment.type !== SIGNAL) continue;
        const { key, value } = parseSignal(attachmentText(attachment));
        signals.set(key, value);
      }
    }
  }
  return signals;
}

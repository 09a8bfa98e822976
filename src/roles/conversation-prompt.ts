import type { Example } from "../examples/example.ts";
import type { ChatMessage } from "../llm/llm.ts";
import type { Post } from "../memory/post.ts";
import type { Round } from "../memory/round.ts";

/** Opens every conversation in a prompt, worked examples and the real one alike. */
export const NEW_CONVERSATION = "[A new conversation starts here.]";

/** A Post as a role reads it. The message is last, so that nothing in it can pass for what follows. */
export function renderIncoming(post: Pick<Post, "sendFrom" | "message">): string {
  return `From: ${post.sendFrom}\nMessage: ${post.message}`;
}

/** The examples and then the real rounds as alternating turns, each conversation begun by its marker line. */
export function renderConversations(
  examples: Example[],
  rounds: Round[],
  /** The real rounds come without an example. */
  renderRounds: (rounds: Pick<Round, "posts">[], example?: Example) => ChatMessage[],
): ChatMessage[] {
  return [...examples.map((example) => renderRounds(example.rounds, example)), renderRounds(rounds)]
    .map((messages) => messages.map((message) => ({ ...message })))
    .flatMap((messages) => {
      const first = messages.find(({ role }) => role === "user");
      if (first) first.content = `${NEW_CONVERSATION}\n${first.content}`;
      return messages;
    });
}

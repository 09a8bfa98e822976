import type { ChatMessage } from "./wire.ts";

const NEW_CONVERSATION = "[A new conversation starts here.]";

/** One turn of the real conversation. */
export interface Turn {
  speaker: "user" | "assistant";
  /** Who sent the message of a user turn: `User`, `Planner`, `CodeInterpreter`, …; empty for the model's own turns. */
  from: string;
  message: string;
  /** `## Feedback` and the like, which stand before the message; by title. */
  sections: Map<string, string>;
}

/**
 * The real conversation out of a prompt. Worked examples come first and every conversation opens with the same line, so
 * only what follows the last opening counts.
 */
export function readConversation(messages: ChatMessage[]): Turn[] {
  const start = messages.findLastIndex(
    (message) => message.role === "user" && message.content.trimStart().startsWith(NEW_CONVERSATION),
  );
  return messages
    .slice(Math.max(start, 0))
    .filter((message) => message.role === "user" || message.role === "assistant")
    .map((message) =>
      message.role === "user" ? readUserTurn(message.content) : readOwnTurn(message.content),
    );
}

function readUserTurn(content: string): Turn {
  const text = content.trimStart().replace(NEW_CONVERSATION, "").replaceAll("\r\n", "\n");
  // The first such pair of lines is the real one: a message, or what a program printed, may hold the same words.
  const payload = /^From: *(.+)\nMessage: ?/m.exec(text);
  if (!payload) return { speaker: "user", from: "User", message: text.trim(), sections: new Map() };
  return {
    speaker: "user",
    from: (payload[1] ?? "").trim(),
    message: text.slice(payload.index + payload[0].length).trim(),
    sections: readSections(text.slice(0, payload.index)),
  };
}

function readOwnTurn(content: string): Turn {
  return { speaker: "assistant", from: "", message: content, sections: new Map() };
}

function readSections(text: string): Map<string, string> {
  const parts = text.split(/^## +(.+)$/m);
  const sections = new Map<string, string>();
  for (let index = 1; index < parts.length; index += 2) {
    sections.set((parts[index] ?? "").trim(), (parts[index + 1] ?? "").trim());
  }
  return sections;
}

/** The `response` object of one of the model's own earlier replies; empty when it can't be read. */
export function ownReply(turn: Turn): Record<string, unknown> {
  try {
    const reply = JSON.parse(turn.message) as { response?: Record<string, unknown> };
    return reply.response ?? {};
  } catch {
    return {}; // An own reply that was cut off: it says nothing to the rules.
  }
}

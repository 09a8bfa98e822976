import type { ChatMessage, ChatOptions, Llm } from "../../src/llm/llm.ts";

/** A model that answers in order, each reply the `response` of its JSON; what it was asked can be read back. */
export function scriptedLlm(
  replies: object[],
): Llm & { asked: ChatMessage[][]; schemas: ChatOptions["schema"][] } {
  const asked: ChatMessage[][] = [];
  const schemas: ChatOptions["schema"][] = [];
  return {
    asked,
    schemas,
    chat(messages, options) {
      asked.push(messages);
      schemas.push(options?.schema);
      const reply = replies.shift();
      if (!reply) throw new Error("The script of the model has run out.");
      const text = JSON.stringify({ response: reply });
      return {
        result: async () => ({ text, finishReason: "stop", promptTokens: 1, completionTokens: 1 }),
        async *[Symbol.asyncIterator]() {
          yield text;
        },
      };
    },
  };
}

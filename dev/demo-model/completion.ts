import { randomUUID } from "node:crypto";
import { MODEL_NAME, type ChatRequest } from "./wire.ts";

const PIECE_LENGTH = 16;

/** The whole answer as one `chat.completion`. */
export function completion(chat: ChatRequest, text: string) {
  return {
    ...head("chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: usage(chat, text),
  };
}

/** The answer as `chat.completion.chunk`s: role, small pieces of text, the end, and the usage when it was asked for. */
export function* completionChunks(chat: ChatRequest, text: string) {
  const common = head("chat.completion.chunk");
  const chunk = (delta: object, finish_reason: "stop" | null = null) => ({
    ...common,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  yield chunk({ role: "assistant", content: "" });
  for (const piece of pieces(text)) yield chunk({ content: piece });
  yield chunk({}, "stop");
  if (chat.stream_options?.include_usage) yield { ...common, choices: [], usage: usage(chat, text) };
}

/** By code point, so that no piece ends inside a surrogate pair. */
function* pieces(text: string) {
  const points = [...text];
  for (let start = 0; start < points.length; start += PIECE_LENGTH) {
    yield points.slice(start, start + PIECE_LENGTH).join("");
  }
}

function head(object: string) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: MODEL_NAME,
  };
}

/** Four characters a token: an estimate, there is no tokenizer here. */
function usage(chat: ChatRequest, text: string) {
  const prompt_tokens = tokens(chat.messages.reduce((sum, message) => sum + message.content.length, 0));
  const completion_tokens = tokens(text.length);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function tokens(length: number): number {
  return Math.ceil(length / 4);
}

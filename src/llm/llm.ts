import { RoundFailure } from "../lib/round-failure.ts";

/** The reply broke off after some of it was told. Whoever has shown that takes it back before asking again. */
export class ReplyBrokenError extends RoundFailure {
  constructor(message: string, options?: { cause?: unknown }) {
    super("model_unreachable", message, options);
  }
}

/** A picture that a model is shown. */
export interface ChatImage {
  /** What it is called where only words can be kept. */
  name: string;
  mime: string;
  bytes: Uint8Array;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
  /** Pictures behind the text; only what the user says has any, and only a model that sees can be shown them. */
  images?: ChatImage[];
}

/** A JSON schema under the name by which the reply is known (`planner_response`, `code_response`). */
export interface ReplySchema {
  name: string;
  schema: Record<string, unknown>;
}

export interface ChatOptions {
  /** Asks for JSON of this shape. How strictly it is enforced depends on `llm.response_format` and the model. */
  schema?: ReplySchema;
  signal?: AbortSignal;
}

export interface ChatResult {
  text: string;
  /** `length` means that the reply was cut off: what there is of it must not be trusted. */
  finishReason: "stop" | "length" | "other";
  promptTokens: number;
  completionTokens: number;
}

/** A reply on its way: iterate it for the pieces of text, or ask for the whole. Both may be done, in any order. */
export interface ChatReply extends AsyncIterable<string> {
  /** Resolves when the model has finished; rejects with a RoundFailure when it can't be reached or refuses. */
  result(): Promise<ChatResult>;
}

/**
 * A language model. An implementation retries what may pass (429, 5xx, a lost connection before the first piece of
 * text), honours the signal, and fails with a RoundFailure of code `model_unreachable` or `model_rejected` that names
 * the address, never a key.
 */
export interface Llm {
  chat(messages: ChatMessage[], options?: ChatOptions): ChatReply;
}

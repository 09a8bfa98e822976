import * as z from "zod";
import type { TapedReply } from "./tape.ts";

const PIECE = /[\s\S]{1,40}/gu;

/** A taped reply as the chunks of a streamed chat completion. */
export function* chunksOf({ content, finish_reason, prompt_tokens, completion_tokens }: TapedReply) {
  const common = { id: "chatcmpl-tape", object: "chat.completion.chunk", created: 0, model: "tape" };
  const chunk = (delta: object, reason: string | null = null) => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  yield chunk({ role: "assistant", content: "" });
  for (const piece of content.match(PIECE) ?? []) yield chunk({ content: piece });
  yield chunk({}, finish_reason);
  const total_tokens = prompt_tokens + completion_tokens;
  yield { ...common, choices: [], usage: { prompt_tokens, completion_tokens, total_tokens } };
}

const streamedChunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** The reply that went by as a stream; undefined when it broke off. */
export function replyOf(stream: string): TapedReply | undefined {
  const reply: TapedReply = { content: "", finish_reason: null, prompt_tokens: 0, completion_tokens: 0 };
  let isWhole = false;
  for (const line of stream.split(/\r?\n/)) {
    const [, data] = /^data: ?(.*)$/.exec(line) ?? [];
    if (data === "[DONE]") isWhole = true;
    if (data === undefined || data === "[DONE]") continue;
    const { choices, usage } = streamedChunk.parse(JSON.parse(data));
    reply.content += choices[0]?.delta?.content ?? "";
    reply.finish_reason = choices[0]?.finish_reason ?? reply.finish_reason;
    if (usage) Object.assign(reply, pickTokens(usage));
  }
  return isWhole || reply.finish_reason !== null ? reply : undefined;
}

const pickTokens = (usage: { prompt_tokens: number; completion_tokens: number }) => ({
  prompt_tokens: usage.prompt_tokens,
  completion_tokens: usage.completion_tokens,
});

/** What a tape reads of a request for embeddings, and of its answer. */
export const embeddingRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
});
export const embeddingAnswer = z.looseObject({
  data: z.array(z.looseObject({ index: z.number(), embedding: z.array(z.number()) })),
});

import { pauseBefore } from "../lib/pause-before.ts";
import { ReplyBrokenError, type ChatMessage, type ReplySchema } from "../llm/llm.ts";
import type { Turn } from "./role.ts";
import { createTranslator, type OnField, type Translation } from "./translator.ts";

/** Tries after a reply that broke off when some of it had been told. */
const MAX_TRIES = 3;

interface ModelAnswer {
  translation: Translation;
  /** As the model wrote it. */
  text: string;
  isWhole: boolean;
}

/**
 * Asks for a structured reply and reads it as it streams. A reply that hit the token limit counts as malformed; one that
 * breaks off is taken back and asked for again, so each try has a listener of its own.
 */
export async function askModel(
  turn: Turn<unknown>,
  messages: ChatMessage[],
  schema: ReplySchema,
  listen: () => OnField,
): Promise<ModelAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(turn, messages, schema, listen());
    } catch (error) {
      if (!(error instanceof ReplyBrokenError) || attempt + 1 >= MAX_TRIES) throw error;
      turn.post.withdraw("The model's reply broke off; it is asked again.");
      await pauseBefore(attempt, turn.abort);
    }
  }
}

async function askOnce(
  turn: Turn<unknown>,
  messages: ChatMessage[],
  schema: ReplySchema,
  onField: OnField,
): Promise<ModelAnswer> {
  turn.post.status("asking the model");
  const reply = turn.llm.chat(messages, { schema, signal: turn.abort });
  const translator = createTranslator(onField);
  for await (const piece of reply) translator.write(piece);
  const { text, finishReason } = await reply.result();
  const translation: Translation =
    finishReason === "length"
      ? { ok: false, error: "The reply hit the model's token limit and was cut off. Answer more briefly." }
      : translator.end();
  return { translation, text, isWhole: finishReason !== "length" };
}

/** Shows fields as attachments of the same name while they stream, except those that `handle` takes for itself. */
export function streamAttachments(turn: Turn<unknown>, types: readonly string[], handle: OnField): OnField {
  const open = new Map<string, ReturnType<typeof turn.post.attachStreaming>>();
  return (name, delta, isEnd) => {
    if (!types.includes(name)) return handle(name, delta, isEnd);
    let attachment = open.get(name);
    if (!attachment) open.set(name, (attachment = turn.post.attachStreaming(name)));
    attachment.write(delta);
    if (isEnd) {
      attachment.end();
      open.delete(name);
    }
  };
}

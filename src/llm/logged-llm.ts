import type { ChatImage, ChatMessage, Llm } from "./llm.ts";
import { redact } from "./redact.ts";

/** One exchange with a model, as it is kept. */
export interface PromptRecord {
  at: string;
  role: string;
  ms: number;
  messages: ChatMessage[];
  answer: string | null;
  finish_reason: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  /** Why there is no answer. */
  error: string | null;
}

/** The same model, with each exchange kept, secrets blacked out. Keeping goes on beside the round and never fails it. */
export function loggedLlm(
  llm: Llm,
  options: { role: string; secrets: string[]; keep: (record: PromptRecord) => void },
): Llm {
  const clean = (text: string) => redact(text, options.secrets);
  return {
    chat(messages, chatOptions) {
      const started = Date.now();
      const reply = llm.chat(messages, chatOptions);
      const keep = (end: Partial<PromptRecord>) =>
        options.keep({
          at: new Date(started).toISOString(),
          role: options.role,
          ms: Date.now() - started,
          messages: messages.map(({ role, content, images = [] }) => ({
            role,
            content: clean([content, ...images.map(describeImage)].join("\n")),
          })),
          answer: null,
          finish_reason: null,
          prompt_tokens: 0,
          completion_tokens: 0,
          error: null,
          ...end,
        });
      void reply.result().then(
        (result) =>
          keep({
            answer: clean(result.text),
            finish_reason: result.finishReason,
            prompt_tokens: result.promptTokens,
            completion_tokens: result.completionTokens,
          }),
        (error: unknown) => keep({ error: clean(String(error)) }),
      );
      return reply;
    },
  };
}

/** A picture is megabytes, and its session has it anyway. */
const describeImage = ({ name, bytes }: ChatImage) => `[image ${name}, ${bytes.length} bytes]`;

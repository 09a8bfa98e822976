import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { StackError } from "../stack/settings.ts";
import { promptKey, withoutRun, type PromptMessage } from "./prompt-key.ts";

const reply = z.object({
  content: z.string(),
  finish_reason: z.string().nullable().default("stop"),
  prompt_tokens: z.number().default(0),
  completion_tokens: z.number().default(0),
});
export type TapedReply = z.infer<typeof reply>;

const tapeFile = z.object({
  completion_store: z
    .record(
      z.string(),
      z.object({
        prompt: z.array(z.object({ role: z.string(), content: z.string() })),
        response: reply,
      }),
    )
    .default({}),
  embedding_store: z.record(z.string(), z.array(z.number())).default({}),
});

/** What models have answered, in a file that can be read, edited and kept with a project's tests. */
export function openTape(path: string) {
  const tape = read(path);

  function save(): void {
    mkdirSync(dirname(path), { recursive: true });
    // Written beside it first: a tape that was cut off would be lost.
    writeFileSync(`${path}.new`, stringify(tape, { lineWidth: 0 }));
    renameSync(`${path}.new`, path);
  }

  return {
    findReply: (prompt: PromptMessage[]): TapedReply | undefined =>
      tape.completion_store[promptKey(prompt)]?.response,

    keepReply(prompt: PromptMessage[], response: TapedReply): void {
      tape.completion_store[promptKey(prompt)] = { prompt, response };
      save();
    },

    findEmbedding: (key: string): number[] | undefined => tape.embedding_store[key],

    keepEmbeddings(embeddings: Record<string, number[]>): void {
      Object.assign(tape.embedding_store, embeddings);
      save();
    },

    /** In which message a prompt leaves what is on the tape, counted from 1; the recorded one that goes along furthest. */
    whereItDiffers(prompt: PromptMessage[]): number {
      const along = Object.values(tape.completion_store).map(({ prompt: recorded }) => {
        const first = prompt.findIndex(
          ({ role, content }, place) =>
            recorded[place]?.role !== role || withoutRun(recorded[place].content) !== withoutRun(content),
        );
        return first < 0 ? prompt.length : first;
      });
      return Math.max(0, ...along) + 1;
    },
  };
}

function read(path: string): z.infer<typeof tapeFile> {
  if (!existsSync(path)) return { completion_store: {}, embedding_store: {} };
  try {
    return tapeFile.parse(parse(readFileSync(path, "utf8")) ?? {});
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new StackError(`The tape ${path} can't be read. Mend it, or delete it to record anew.\n${why}`);
  }
}

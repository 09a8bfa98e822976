import { resolve } from "node:path";
import * as z from "zod";
import { environmentName } from "../../src/config/secrets.ts";
import { tapeKeys, type tapeModes } from "../../src/config/tape-keys.ts";
import { StackError } from "../stack/settings.ts";

export interface TapeSettings {
  mode: (typeof tapeModes)[number];
  /** The tape's file. */
  path: string;
  /** Between two pieces of a reply that is played, in milliseconds. */
  pauseMs: number;
  fixedReply: string;
  fixedEmbedding: number[];
}

/** How the model's traffic is taped; undefined when it isn't. The environment goes before the project's file. */
export function tapeSettings(options: {
  projectPath: string;
  config: Record<string, unknown>;
  environment: Record<string, string>;
}): TapeSettings | undefined {
  const { projectPath, config, environment } = options;
  const values = Object.fromEntries(
    Object.entries(tapeKeys).map(([key, schema]) => {
      const text = environment[environmentName(key)];
      const parsed = (schema as z.ZodType).safeParse(text === undefined ? config[key] : readValue(text));
      if (parsed.success) return [key, parsed.data];
      throw new StackError(`${environmentName(key)} is "${text}": ${parsed.error.issues[0]?.message}.`);
    }),
  );
  const tape = z.object(tapeKeys).parse(values);
  if (!tape["llm.use_mock"]) return undefined;
  return {
    mode: tape["llm.mock.mode"],
    path: resolve(projectPath, tape["llm.mock.cache_path"]),
    pauseMs: Math.max(0, tape["llm.mock.playback_delay"]) * 1000,
    fixedReply: tape["llm.mock.fixed_chat_responses"],
    fixedEmbedding: tape["llm.mock.fixed_embedding_responses"],
  };
}

/** What isn't JSON is a text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

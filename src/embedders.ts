import type { EmbeddingSettings } from "./config.ts";
import { ConfigError } from "./config/environment.ts";
import type { Embedder, Embedders } from "./embeddings/embedder.ts";
import { lexicalEmbedder } from "./embeddings/lexical/index.ts";
import { createOpenAiEmbedder } from "./embeddings/openai/index.ts";
import { createWorkersAiEmbedder, type WorkersAi } from "./embeddings/workers-ai/index.ts";

/** The embedders of a deployment: the one that is configured, and those by which lessons may have been embedded before. */
export function createEmbedders(settings: EmbeddingSettings, env: object): Embedders {
  const ai = Reflect.get(env, "AI") as WorkersAi | undefined;
  const made = new Map<string, Embedder>();

  function make(kind: string, model: string): Embedder | undefined {
    if (kind === "openai" && settings.service) return createOpenAiEmbedder({ ...settings.service, model });
    return kind === "workers-ai" && ai ? createWorkersAiEmbedder({ ai, model }) : undefined;
  }

  function named(name: string): Embedder | undefined {
    if (name === lexicalEmbedder.model) return lexicalEmbedder;
    const known = made.get(name);
    if (known) return known;
    const colon = name.indexOf(":");
    const embedder = make(name.slice(0, colon), name.slice(colon + 1));
    if (embedder) made.set(name, embedder);
    return embedder;
  }

  const { kind, model } = settings;
  const current = kind === "lexical" ? lexicalEmbedder : named(`${kind}:${model}`);
  if (!current) {
    const mend =
      kind === "openai"
        ? "no model service is set up: set OPENAI_API_KEY or OPENAI_BASE_URL"
        : 'there is no binding AI: add [ai] with binding = "AI" to wrangler.toml';
    throw new ConfigError(`llm.embedding_api_type is "${kind}", but ${mend}, or choose "lexical".`);
  }
  return { current, lexical: lexicalEmbedder, named };
}

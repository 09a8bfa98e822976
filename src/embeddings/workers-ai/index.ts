import { EmbeddingError, type Embedder } from "../embedder.ts";

/** What is used of the binding: `[ai] binding = "AI"` in wrangler.toml. */
export interface WorkersAi {
  run(model: string, input: { text: string[] }): Promise<unknown>;
}

const TEXTS_AT_ONCE = 100;
const MAX_CHARACTERS = 24_000;

/** The embedding models that run on Cloudflare, reached by a binding: no key, no address. */
export function createWorkersAiEmbedder({ ai, model }: { ai: WorkersAi; model: string }): Embedder {
  return {
    model: `workers-ai:${model}`,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
        const text = texts
          .slice(from, from + TEXTS_AT_ONCE)
          .map((each) => each.slice(0, MAX_CHARACTERS) || " ");
        const answer = await ai.run(model, { text }).catch((cause: unknown) => {
          throw new EmbeddingError(`Workers AI gave no embeddings by "${model}".`, { cause });
        });
        const { data } = answer as { data?: number[][] };
        if (data?.length !== text.length)
          throw new EmbeddingError(`Workers AI gave no embeddings by "${model}". Is it an embedding model?`);
        vectors.push(...data.map((vector) => Float32Array.from(vector)));
      }
      return vectors;
    },
  };
}

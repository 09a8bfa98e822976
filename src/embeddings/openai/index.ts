import OpenAI from "openai";
import { showUrl } from "../../lib/safe-url.ts";
import { EmbeddingError, type Embedder } from "../embedder.ts";

const TEXTS_AT_ONCE = 100;
/** Models take some 8,000 tokens at most; what a text is about stands at its beginning. */
const MAX_CHARACTERS = 24_000;

/** Any service that speaks OpenAI's embeddings. */
export function createOpenAiEmbedder(options: { apiKey: string; baseUrl: string; model: string }): Embedder {
  const { apiKey, baseUrl, model } = options;
  const client = new OpenAI({ apiKey, baseURL: baseUrl, timeout: 15_000, maxRetries: 1 });

  async function embedSome(input: string[]): Promise<Float32Array[]> {
    const { data } = await client.embeddings
      .create({ model, input, encoding_format: "float" })
      .catch((cause: unknown) => {
        throw new EmbeddingError(
          `The service at ${showUrl(baseUrl)} gave no embeddings by "${model}". Check OPENAI_EMBEDDING_MODEL and OPENAI_BASE_URL.`,
          { cause },
        );
      });
    const byIndex = data.toSorted((left, right) => left.index - right.index);
    if (byIndex.length !== input.length || byIndex.some(({ embedding }) => embedding.length === 0)) {
      throw new EmbeddingError(
        `The service at ${showUrl(baseUrl)} gave ${data.length} embeddings for ${input.length} texts.`,
      );
    }
    return byIndex.map(({ embedding }) => Float32Array.from(embedding));
  }

  return {
    model: `openai:${model}`,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
        // An empty text is refused by some services.
        const part = texts
          .slice(from, from + TEXTS_AT_ONCE)
          .map((text) => text.slice(0, MAX_CHARACTERS) || " ");
        vectors.push(...(await embedSome(part)));
      }
      return vectors;
    },
  };
}

import { EmbeddingError, type Embedder, type Embedders } from "./embedder.ts";
import { cosine, unpackVector } from "./vector.ts";

/** A text with its vector, as it is kept. */
interface Embedded {
  model: string;
  vector: string;
}

/**
 * A query as the models see it that have embedded what is looked through: each is asked once, when it is first needed.
 */
export function createQuery(query: string, embedders: Embedders) {
  const vectors = new Map<string, Promise<Float32Array | undefined>>();

  async function embed(embedder: Embedder): Promise<Float32Array | undefined> {
    try {
      return (await embedder.embed([query]))[0];
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      console.warn(`Texts are compared by their words: ${error.message}`);
      return undefined;
    }
  }

  /** Undefined when the model can't be asked now, or never again. */
  async function vectorBy(model: string): Promise<Float32Array | undefined> {
    const embedder = embedders.named(model);
    if (!embedder) return undefined;
    let vector = vectors.get(model);
    if (!vector) vectors.set(model, (vector = embed(embedder)));
    return vector;
  }

  return {
    vectorBy,
    /** How near it is, on the scale of `experience.retrieve_threshold`: by its words, where its model can't be asked. */
    async scoreOf({ model, vector }: Embedded, textOf: () => string): Promise<number> {
      const known = await vectorBy(model);
      const embedder = known ? embedders.named(model)! : embedders.lexical;
      const ofQuery = known ?? (await vectorBy(embedder.model))!;
      const ofText = known ? unpackVector(vector) : (await embedder.embed([textOf()]))[0]!;
      const nearness = cosine(ofQuery, ofText);
      return embedder.score?.(nearness) ?? nearness;
    },
  };
}

export type Query = ReturnType<typeof createQuery>;

import { EmbeddingError, type Embedder, type Embedders } from "../embeddings/embedder.ts";
import { cosine, unpackVector } from "../embeddings/vector.ts";
import type { Lesson } from "./lessons.ts";

/** A lesson with its vector, as it is kept. */
export interface LessonRow {
  id: string;
  text: string;
  subPath: string;
  model: string;
  vector: string;
}

/** A query as the models see it that have embedded lessons: each is asked once, when it is first needed. */
export function createQuery(query: string, embedders: Embedders) {
  const vectors = new Map<string, Promise<Float32Array | undefined>>();

  async function embed(embedder: Embedder): Promise<Float32Array | undefined> {
    try {
      return (await embedder.embed([query]))[0];
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      console.warn(`Lessons are compared by their words: ${error.message}`);
      return undefined;
    }
  }

  return {
    /** Undefined when the model can't be asked now, or never again. */
    async vectorBy(model: string): Promise<Float32Array | undefined> {
      const embedder = embedders.named(model);
      if (!embedder) return undefined;
      let vector = vectors.get(model);
      if (!vector) vectors.set(model, (vector = embed(embedder)));
      return vector;
    },
  };
}

export type LessonsQuery = ReturnType<typeof createQuery>;

/** Best first. Lessons whose model can't be asked are compared by their words. */
export async function rankLessons(
  query: LessonsQuery,
  rows: LessonRow[],
  embedders: Embedders,
): Promise<Lesson[]> {
  const lessons: Lesson[] = [];
  for (const { id, text, subPath, model, vector } of rows) {
    const known = await query.vectorBy(model);
    const embedder = known ? embedders.named(model)! : embedders.lexical;
    const ofQuery = known ?? (await query.vectorBy(embedder.model))!;
    const ofLesson = known ? unpackVector(vector) : (await embedder.embed([text]))[0]!;
    const nearness = cosine(ofQuery, ofLesson);
    lessons.push({ id, text, subPath, score: embedder.score?.(nearness) ?? nearness });
  }
  return lessons.toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}

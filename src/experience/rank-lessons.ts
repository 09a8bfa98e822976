import type { Query } from "../embeddings/query.ts";
import type { Lesson } from "./lessons.ts";

/** A lesson with its vector, as it is kept. */
export interface LessonRow {
  id: string;
  text: string;
  subPath: string;
  model: string;
  vector: string;
}

/** Best first. */
export async function rankLessons(query: Query, rows: LessonRow[]): Promise<Lesson[]> {
  const lessons: Lesson[] = [];
  for (const row of rows) {
    const { id, text, subPath } = row;
    lessons.push({ id, text, subPath, score: await query.scoreOf(row, () => text) });
  }
  return lessons.toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}

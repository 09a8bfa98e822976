import type { Embedder } from "../embeddings/embedder.ts";
import { packSketches, sketchOf } from "../embeddings/sketch.ts";
import { packVector } from "../embeddings/vector.ts";
import { chunk } from "../lib/chunk.ts";
import { splitText } from "./split-text.ts";

/** How documents are cut, in tokens. */
export interface Cutting {
  size: number;
  overlap: number;
}

export interface PassageRow {
  n: number;
  start: number;
  end: number;
  headings: string[];
  model: string;
  vector: string;
  text: string;
}

interface SketchRow {
  n: number;
  count: number;
  sketches: string;
}

const SKETCHES_A_ROW = 1000;

/** What a passage is embedded by: what it stands under says as much as its own words. */
export const embeddedText = (name: string, { headings, text }: Pick<PassageRow, "headings" | "text">) =>
  [name.replace(/\.[^.]+$/, ""), ...headings, text].join("\n");

/** A text's passages with their vectors, and the sketches of those. */
export async function makePassages(options: {
  name: string;
  text: string;
  cutting: Cutting;
  embedder: Embedder;
}): Promise<{ passages: PassageRow[]; sketches: SketchRow[] }> {
  const { name, text, cutting, embedder } = options;
  const cut = splitText(text, cutting).map((passage) => ({
    ...passage,
    text: text.slice(passage.start, passage.end),
  }));
  const vectors = await embedder.embed(cut.map((passage) => embeddedText(name, passage)));
  return {
    passages: cut.map((passage, n) => ({
      n,
      ...passage,
      model: embedder.model,
      vector: packVector(vectors[n]!),
    })),
    sketches: packRows(vectors),
  };
}

/** The sketches of vectors in their order, so many a row. */
export function packRows(vectors: ArrayLike<number>[]): SketchRow[] {
  let n = 0;
  return chunk(vectors, { count: SKETCHES_A_ROW, size: Infinity }, () => 0).map((part) => {
    const row = { n, count: part.length, sketches: packSketches(part.map(sketchOf)) };
    n += part.length;
    return row;
  });
}

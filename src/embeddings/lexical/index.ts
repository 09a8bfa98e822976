import type { Embedder } from "../embedder.ts";
import { wordsOf } from "./words.ts";

const DIMENSION = 1024;
/** What the pieces of a word weigh together, beside the word itself: they bring `forecast` near `forecasting`. */
const PIECES_WEIGHT = 0.5;
const PIECE_LENGTH = 4;

/**
 * Compares texts by the words that they share: no model, no network, the same numbers everywhere. Words and pieces of
 * words are hashed into the dimensions. It knows nothing of synonyms; how well it ranks stands in docs/experience.md.
 */
export const lexicalEmbedder: Embedder = {
  model: "lexical:1",
  embed: async (texts) => texts.map(lexicalVector),
  // A short question shares few words with a lesson, however much the lesson is to the point: such cosines are low.
  score: (cosine) => (cosine <= 0 ? 0 : cosine ** 0.7),
};

export function lexicalVector(text: string): Float32Array {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vector = new Float32Array(DIMENSION);
  for (const [word, count] of counts) {
    const weight = 1 + Math.log(count);
    add(vector, word, weight);
    const pieces = piecesOf(word);
    for (const piece of pieces) add(vector, piece, (weight * PIECES_WEIGHT) / Math.sqrt(pieces.length));
  }
  return vector;
}

/** The sign comes from the hash as well, so that words that meet in a dimension cancel out on the average. */
function add(vector: Float32Array, feature: string, weight: number): void {
  const hash = hashOf(feature);
  vector[hash % DIMENSION]! += hash & 0x8000_0000 ? -weight : weight;
}

function piecesOf(word: string): string[] {
  const padded = `^${word}$`;
  if (padded.length <= PIECE_LENGTH) return [];
  return Array.from({ length: padded.length - PIECE_LENGTH + 1 }, (_, at) =>
    padded.slice(at, at + PIECE_LENGTH),
  );
}

/** FNV-1a, with its bits stirred once more: the low ones choose the dimension, the highest the sign. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

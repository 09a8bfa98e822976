import { estimateTokens } from "../lib/estimate-tokens.ts";
import type { Snippet } from "./document.ts";

/** A passage that is near to the query. */
export interface Hit {
  name: string;
  n: number;
  headings: string[];
  score: number;
}

export interface NearbyPassage {
  name: string;
  n: number;
  start: number;
  end: number;
  text: string;
}

/**
 * Grows each hit by what stands before and behind it until it has so many tokens. One that has become part of a better
 * one's snippet is not told once more.
 */
export function growSnippets(
  hits: Hit[],
  nearby: NearbyPassage[],
  { limit, targetTokens }: { limit: number; targetTokens: number },
): Snippet[] {
  const byPlace = new Map(nearby.map((passage) => [placeOf(passage), passage]));
  const told = new Set<string>();
  const snippets: Snippet[] = [];
  for (const { name, n, headings, score } of hits) {
    if (snippets.length === limit) break;
    const passage = byPlace.get(placeOf({ name, n }));
    if (!passage || told.has(placeOf(passage))) continue;
    told.add(placeOf(passage));
    const snippet = { start: passage.start, end: passage.end, text: passage.text };
    let [before, behind] = [n - 1, n + 1];
    for (let grows = true; grows;) {
      grows = false;
      for (const side of ["before", "behind"] as const) {
        const next = byPlace.get(placeOf({ name, n: side === "before" ? before : behind }));
        if (!next || told.has(placeOf(next))) continue;
        if (estimateTokens(snippet.text) + estimateTokens(next.text) > targetTokens) continue;
        told.add(placeOf(next));
        join(snippet, next);
        if (side === "before") before -= 1;
        else behind += 1;
        grows = true;
      }
    }
    snippets.push({ document: name, headings, text: snippet.text, score: Math.round(score * 1000) / 1000 });
  }
  return snippets;
}

const placeOf = ({ name, n }: { name: string; n: number }): string => `${n}/${name}`;

/** Neighbours overlap; what was between them was nothing but space. */
function join(
  snippet: { start: number; end: number; text: string },
  { start, end, text }: NearbyPassage,
): void {
  if (start < snippet.start) {
    const overlap = Math.max(0, end - snippet.start);
    snippet.text = text + (overlap > 0 ? "" : "\n\n") + snippet.text.slice(overlap);
    snippet.start = start;
  } else {
    const overlap = Math.max(0, snippet.end - start);
    snippet.text += (overlap > 0 ? "" : "\n\n") + text.slice(overlap);
    snippet.end = end;
  }
}

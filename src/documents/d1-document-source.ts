import type { D1Database } from "@cloudflare/workers-types";
import type { Embedders } from "../embeddings/embedder.ts";
import { createQuery, type Query } from "../embeddings/query.ts";
import { distances, sketchOf, UNRELATED } from "../embeddings/sketch.ts";
import type { DocumentSource } from "./document.ts";
import { growSnippets, type Hit, type NearbyPassage } from "./grow-snippets.ts";
import { embeddedText } from "./passages.ts";

/** So many are taken from the sketches to be compared exactly. */
const CANDIDATES = 300;
/** Passages on each side that a hit may be grown by. */
const NEIGHBOURS = 4;
/** Hits that stand next to each other become one snippet, so more are grown than are wanted. */
const HITS_A_SNIPPET = 3;

interface SketchRow {
  name: string;
  n: number;
  count: number;
  model: string;
  sketches: string;
}

interface PassageRow {
  name: string;
  n: number;
  headings: string;
  model: string;
  vector: string;
  text: string;
}

type Place = [name: string, n: number];

/**
 * Passages in D1: one batch reads the sketches of all, a second one the passages that they show to be near, a third one
 * what stands around those that are.
 */
export function createD1DocumentSource(options: {
  database: D1Database;
  tenant: string;
  embedders: Embedders;
}): DocumentSource {
  const { database, tenant, embedders } = options;

  const passagesAt = (columns: string, places: Place[]) =>
    database
      .prepare(
        `SELECT name, n, ${columns} FROM document_passages WHERE tenant = ?
           AND (name, n) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      )
      .bind(tenant, JSON.stringify(places));

  async function readHits(query: Query, places: Place[], threshold: number): Promise<Hit[]> {
    if (places.length === 0) return [];
    const [found] = await database.batch<PassageRow>([passagesAt("headings, model, vector, text", places)]);
    const hits: Hit[] = [];
    for (const { headings: json, ...row } of found!.results) {
      const headings = JSON.parse(json) as string[];
      const score = await query.scoreOf(row, () => embeddedText(row.name, { ...row, headings }));
      if (score >= threshold) hits.push({ name: row.name, n: row.n, headings, score });
    }
    return hits.toSorted(
      (left, right) =>
        right.score - left.score || left.name.localeCompare(right.name, "en") || left.n - right.n,
    );
  }

  return {
    async search({ query: text, limit, targetTokens, threshold }) {
      const [sketched, counted] = await database.batch([
        database
          .prepare("SELECT name, n, count, model, sketches FROM document_sketches WHERE tenant = ?")
          .bind(tenant),
        database.prepare("SELECT count(*) AS documents FROM documents WHERE tenant = ?").bind(tenant),
      ]);
      const { documents } = counted!.results[0] as { documents: number };
      const query = createQuery(text, embedders);
      const near = await nearest(query, sketched!.results as unknown as SketchRow[]);
      const hits = (await readHits(query, near, threshold)).slice(0, limit * HITS_A_SNIPPET);
      if (hits.length === 0) return { snippets: [], documents };
      const around = hits.flatMap(({ name, n }) =>
        Array.from({ length: 2 * NEIGHBOURS + 1 }, (_none, at): Place => [name, n - NEIGHBOURS + at]),
      );
      const [nearby] = await database.batch<NearbyPassage>([passagesAt('start, "end", text', around)]);
      return { snippets: growSnippets(hits, nearby!.results, { limit, targetTokens }), documents };
    },
  };
}

/** The nearest by their sketches. Those whose model can't be asked count as neither near nor far. */
async function nearest(query: Query, rows: SketchRow[]): Promise<Place[]> {
  const near: { place: Place; distance: number }[] = [];
  for (const [model, ofModel] of Map.groupBy(rows, (row) => row.model)) {
    const vector = await query.vectorBy(model);
    const sketch = vector && sketchOf(vector);
    for (const { name, n, count, sketches } of ofModel) {
      const found = sketch && distances(sketches, sketch);
      for (let at = 0; at < count; at++)
        near.push({ place: [name, n + at], distance: found?.[at] ?? UNRELATED });
    }
  }
  return near
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, CANDIDATES)
    .map(({ place }) => place);
}

import type { D1Database } from "@cloudflare/workers-types";
import { chunk } from "../lib/chunk.ts";
import { unpackVector } from "../embeddings/vector.ts";
import type { Place } from "./shelf.ts";
import { packSketches, sketchOf } from "../embeddings/sketch.ts";

/** Deletes chunks of which no lesson is left: their model needn't be asked any more. */
export async function dropEmptyChunks(database: D1Database, { owner, shelf, subPath }: Place): Promise<void> {
  await database.batch([
    database
      .prepare(
        `DELETE FROM experience_chunks WHERE owner = ?1 AND shelf = ?2 AND sub_path = ?3 AND NOT EXISTS
           (SELECT 1 FROM experiences AS e WHERE e.owner = ?1 AND e.shelf = ?2 AND e.sub_path = ?3
              AND e.chunk = experience_chunks.n)`,
      )
      .bind(owner, shelf, subPath),
  ]);
}

/** A folder with more lessons than this that stand by themselves has them put into chunks. */
const MOST_LOOSE = 256;
const CHUNK_SIZE = 1000;

interface LooseRow {
  id: string;
  model: string;
  vector: string;
  updated_at: number;
}

/** Puts a folder's lessons into chunks when there are many that are read one by one. */
export async function chunkLessons(database: D1Database, { owner, shelf, subPath }: Place): Promise<void> {
  const [loose, last] = await database.batch<Record<string, unknown>>([
    database
      .prepare(
        `SELECT id, model, vector, updated_at FROM experiences
         WHERE owner = ? AND shelf = ? AND sub_path = ? AND chunk IS NULL AND state = 'ready'`,
      )
      .bind(owner, shelf, subPath),
    database
      .prepare("SELECT max(n) AS n FROM experience_chunks WHERE owner = ? AND shelf = ? AND sub_path = ?")
      .bind(owner, shelf, subPath),
  ]);
  const rows = loose!.results as unknown as LooseRow[];
  if (rows.length <= MOST_LOOSE) return;
  let n = Number(last!.results[0]?.n ?? 0);
  for (const [model, ofModel] of Map.groupBy(rows, (row) => row.model)) {
    for (const part of chunk(ofModel, { count: CHUNK_SIZE, size: Infinity }, () => 0)) {
      n += 1;
      const sketches = packSketches(part.map(({ vector }) => sketchOf(unpackVector(vector))));
      const ids = part.map(({ id }) => id);
      await database.batch([
        database
          .prepare(
            `INSERT OR IGNORE INTO experience_chunks (owner, shelf, sub_path, n, model, ids, sketches)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
          )
          .bind(owner, shelf, subPath, n, model, JSON.stringify(ids), sketches),
        // One that was edited meanwhile has another vector than its sketch: it goes on standing by itself. Nor does
        // anything change when somebody else has made a chunk of this number.
        database
          .prepare(
            `UPDATE experiences SET chunk = ?1
             WHERE owner = ?3 AND chunk IS NULL
               AND (id, updated_at) IN (SELECT value ->> 'id', value ->> 'updated_at' FROM json_each(?2)) AND EXISTS (SELECT 1 FROM experience_chunks AS c
                 WHERE c.owner = ?3 AND c.shelf = ?4 AND c.sub_path = ?5 AND c.n = ?1 AND c.ids = ?6)`,
          )
          .bind(
            n,
            JSON.stringify(part.map(({ id, updated_at }) => ({ id, updated_at }))),
            owner,
            shelf,
            subPath,
            JSON.stringify(ids),
          ),
      ]);
    }
  }
}

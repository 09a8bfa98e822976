import type { D1Database } from "@cloudflare/workers-types";
import type { Embedder, Embedders } from "../embeddings/embedder.ts";
import { packVector } from "../embeddings/vector.ts";
import { chunkLessons, dropEmptyChunks } from "./d1-chunks.ts";
import type { Place } from "./shelf.ts";

const AT_ONCE = 100;
/** So many may stand by themselves for the moment, until they are put into chunks. */
const AT_A_STRETCH = 500;
/** In one go: the rest is done by the next. */
const MOST = 5000;

interface OldRow {
  owner: string;
  id: string;
  shelf: string;
  sub_path: string;
  text: string;
  updated_at: number;
}

/**
 * Embeds lessons by the current model that were embedded by another one, or only lexically so far. Until then they are
 * found by what they have. Says how many it did.
 */
export async function embedAgain(database: D1Database, { current }: Embedders): Promise<number> {
  let done = 0;
  while (done < MOST) {
    const places = new Map<string, Place>();
    const before = done;
    while (done - before < AT_A_STRETCH) {
      const rows = await embedSome(database, current);
      done += rows.length;
      for (const { owner, shelf, sub_path: subPath } of rows)
        places.set(JSON.stringify([owner, shelf, subPath]), { owner, shelf, subPath });
      if (rows.length < AT_ONCE) break;
    }
    for (const place of places.values()) {
      await chunkLessons(database, place);
      await dropEmptyChunks(database, place);
    }
    if (done - before < AT_A_STRETCH) break;
  }
  return done;
}

async function embedSome(database: D1Database, current: Embedder): Promise<OldRow[]> {
  const [found] = await database.batch<OldRow>([
    database
      .prepare(
        `SELECT owner, id, shelf, sub_path, text, updated_at FROM experiences
         WHERE state = 'ready' AND (model < ?1 OR model > ?1) LIMIT ${AT_ONCE}`,
      )
      .bind(current.model),
  ]);
  const rows = found!.results;
  if (rows.length === 0) return rows;
  const vectors = await current.embed(rows.map(({ text }) => text));
  await database.batch(
    rows.map(({ owner, id, updated_at }, index) =>
      database
        .prepare(
          // One whose text was edited meanwhile is not the one that was embedded.
          `UPDATE experiences SET model = ?, vector = ?, chunk = NULL WHERE owner = ? AND id = ? AND updated_at = ?`,
        )
        .bind(current.model, packVector(vectors[index]!), owner, id, updated_at),
    ),
  );
  return rows;
}

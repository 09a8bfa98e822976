import type { D1Database } from "@cloudflare/workers-types";
import type { Embedder } from "../embeddings/embedder.ts";
import { chunk } from "../lib/chunk.ts";
import { chunkLessons } from "./d1-chunks.ts";
import { rowsOfFolder, type ExperienceRow } from "./folder-rows.ts";
import { BATCH, insertExperiences, rowSize } from "./insert-experiences.ts";
import { ownerOfFolder, type ProjectFolder } from "./shelf.ts";

/**
 * Puts a folder of the project into the database. What another version of the folder has already (a text drawn from a
 * conversation, a vector of a model) is taken over. Cut off anywhere, it can be done again; two at once do no harm.
 */
export async function syncFolder(
  database: D1Database,
  folder: ProjectFolder,
  lexical: Embedder,
): Promise<void> {
  const owner = ownerOfFolder(folder);
  const now = Date.now();
  const [, synced] = await database.batch<{ owner: string; synced_at: number | null }>([
    database
      .prepare("INSERT OR IGNORE INTO experience_syncs (owner, begun_at) VALUES (?, ?)")
      .bind(owner, now),
    database.prepare("SELECT owner, synced_at FROM experience_syncs"),
  ]);
  if (synced!.results.find((row) => row.owner === owner)?.synced_at) return;
  const others = synced!.results.map((row) => row.owner).filter((other) => other !== owner);
  const rows = await rowsOfFolder(folder, lexical);
  for (const part of chunk(rows, BATCH, rowSize)) {
    const known = await findKnown(database, others, part);
    await database.batch([
      insertExperiences(
        database,
        part.map((row) => ({ ...row, ...known.get(row.sourceHash) })),
      ),
    ]);
  }
  for (const subPath of new Set(rows.map((row) => row.subPath)))
    await chunkLessons(database, { owner, shelf: folder.name, subPath });
  await database.batch([
    database.prepare("UPDATE experience_syncs SET synced_at = ? WHERE owner = ?").bind(now, owner),
  ]);
}

/** What other folders of the project, or earlier versions of this one, have made of the same sources. */
async function findKnown(database: D1Database, others: string[], rows: ExperienceRow[]) {
  if (others.length === 0) return new Map<string, Partial<ExperienceRow>>();
  const hashes = JSON.stringify(rows.map(({ sourceHash }) => sourceHash));
  const [found] = await database.batch<Record<string, string>>([
    database
      .prepare(
        `SELECT source_hash, text, model, vector FROM experiences
         WHERE owner IN (SELECT value FROM json_each(?)) AND state = 'ready'
           AND source_hash IN (SELECT value FROM json_each(?))`,
      )
      .bind(JSON.stringify(others), hashes),
  ]);
  return new Map<string, Partial<ExperienceRow>>(
    found!.results.map(({ source_hash, text, model, vector }) => [
      source_hash!,
      { text: text!, model: model!, vector: vector!, state: "ready", dueAt: null },
    ]),
  );
}

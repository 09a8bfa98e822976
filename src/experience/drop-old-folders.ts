import type { D1Database } from "@cloudflare/workers-types";
/** Two versions of a Worker may be live side by side for a while. */
const KEEP_MS = 24 * 3600_000;

/** Deletes folders of the project as they were in versions that nobody serves any more. */
export async function dropOldFolders(database: D1Database, current: string[], now: number): Promise<void> {
  const [old] = await database.batch<{ owner: string }>([
    database
      .prepare(
        `SELECT owner FROM experience_syncs
         WHERE begun_at < ? AND owner NOT IN (SELECT value FROM json_each(?)) LIMIT 10`,
      )
      .bind(now - KEEP_MS, JSON.stringify(current)),
  ]);
  for (const { owner } of old!.results) {
    await database.batch(
      ["experiences", "experience_chunks", "experience_syncs"].map((table) =>
        database.prepare(`DELETE FROM ${table} WHERE owner = ?`).bind(owner),
      ),
    );
  }
}

import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import type { ExperienceRow } from "./folder-rows.ts";

const columns: [column: string, field: keyof ExperienceRow][] = [
  ["owner", "owner"],
  ["id", "id"],
  ["shelf", "shelf"],
  ["sub_path", "subPath"],
  ["exp_id", "expId"],
  ["kind", "kind"],
  ["state", "state"],
  ["attempts", "attempts"],
  ["due_at", "dueAt"],
  ["source_hash", "sourceHash"],
  ["model", "model"],
  ["vector", "vector"],
  ["session_id", "sessionId"],
  ["created_at", "createdAt"],
  ["updated_at", "updatedAt"],
  ["text", "text"],
  ["raw", "raw"],
];

/** As much as one statement takes: a parameter may have 2,000,000 bytes, a character up to three. */
export const BATCH = { count: 500, size: 500_000 };

export const rowSize = ({ text, vector, raw }: ExperienceRow): number =>
  text.length + vector.length + (raw ? JSON.stringify(raw).length : 0);

/** Inserts many lessons by one statement and one parameter: D1 binds up to 100. What is there already stays. */
export function insertExperiences(database: D1Database, rows: ExperienceRow[]): D1PreparedStatement {
  const names = columns.map(([column]) => column).join(", ");
  const values = columns.map(([, field]) => `value ->> '${field}'`).join(", ");
  return database
    .prepare(`INSERT OR IGNORE INTO experiences (${names}) SELECT ${values} FROM json_each(?)`)
    .bind(JSON.stringify(rows.map((row) => ({ attempts: 0, ...row }))));
}

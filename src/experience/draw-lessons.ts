import type { D1Database } from "@cloudflare/workers-types";
import type { Embedder } from "../embeddings/embedder.ts";
import { packVector } from "../embeddings/vector.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import type { RawConversation } from "./experience.ts";
import type { LessonSource } from "./lessons.ts";
import { PROJECT_PREFIX, roleOfShelf } from "./shelf.ts";

const AT_ONCE = 5;
const FIRST_PAUSE_MS = 60_000;
/** Tried so often, within about two hours; then the failure stands. */
const MOST_ATTEMPTS = 8;
/** A summary that takes longer has been lost. */
const PATIENCE_MS = 5 * 60_000;
/** Lessons this near say the same. */
const SAME = 0.9;

interface DueRow {
  owner: string;
  id: string;
  shelf: string;
  sub_path: string;
  raw: string;
  attempts: number;
  updated_at: number;
}

/**
 * Draws the lessons that are due from their conversations. One that says what a lesson in the same place says already
 * is merged into it. A failure is noted and tried again later. Says how many lessons were due.
 */
export async function drawLessons(options: {
  database: D1Database;
  now: number;
  lexical: Embedder;
  draw(raw: RawConversation): Promise<string>;
  lessonsOf(owner: string): LessonSource | undefined;
}): Promise<number> {
  const { database, now } = options;
  const [due] = await database.batch<DueRow>([
    // Put off at once, so that nobody else takes them as well.
    database
      .prepare(
        `UPDATE experiences SET due_at = ?1 WHERE (owner, id) IN
           (SELECT owner, id FROM experiences WHERE due_at <= ?2 ORDER BY due_at LIMIT ${AT_ONCE})
         RETURNING owner, id, shelf, sub_path, raw, attempts, updated_at`,
      )
      .bind(now + PATIENCE_MS, now),
  ]);
  for (const row of due!.results) {
    const change = await outcomeOf(row, options).catch((error: unknown) => failure(row, error, now));
    await database.batch([
      database
        .prepare(
          `UPDATE experiences SET state = ?, text = ?, model = ?, vector = ?, error = ?, merged_into = ?, due_at = ?,
             attempts = attempts + 1
           WHERE owner = ? AND id = ? AND updated_at = ?`,
        )
        .bind(...change, row.owner, row.id, row.updated_at),
    ]);
  }
  return due!.results.length;
}

async function outcomeOf(
  row: DueRow,
  { draw, lexical, lessonsOf }: Parameters<typeof drawLessons>[0],
): Promise<unknown[]> {
  const text = await draw(JSON.parse(row.raw) as RawConversation);
  const [vector] = await lexical.embed([text]);
  const same = await findSame(row, text, lessonsOf(row.owner));
  return [same ? "merged" : "ready", text, lexical.model, packVector(vector!), null, same ?? null, null];
}

async function findSame(
  { owner, shelf, sub_path: subPath }: DueRow,
  text: string,
  lessons: LessonSource | undefined,
): Promise<string | undefined> {
  if (owner.startsWith(PROJECT_PREFIX) || !lessons) return undefined;
  const found = await lessons.find({ role: roleOfShelf(shelf), query: text, subPath, limit: 1 });
  return found.lessons.find(({ score }) => score >= SAME)?.id;
}

function failure({ attempts }: DueRow, error: unknown, now: number): unknown[] {
  // Other errors are the server's own: their text stays in its log.
  if (!(error instanceof RoundFailure)) console.error("A lesson could not be drawn.", error);
  const message = error instanceof RoundFailure ? error.message : "The lesson could not be drawn.";
  const isLast = attempts + 1 >= MOST_ATTEMPTS;
  return ["failed", "", "", "", message, null, isLast ? null : now + FIRST_PAUSE_MS * 2 ** attempts];
}

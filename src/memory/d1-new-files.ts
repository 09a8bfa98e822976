import { and, eq, lte, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { splitAddedFiles, withAddedFiles } from "./added-files.ts";
import { value } from "./d1-values.ts";
import type { SessionRef } from "./session.ts";
import { newFiles, sessions } from "./tables.ts";

const ofSession = (ref: SessionRef) => and(eq(newFiles.tenant, ref.tenant), eq(newFiles.sessionId, ref.id));

export async function noteNewFile(db: DrizzleD1Database, ref: SessionRef, name: string, at: number) {
  const [noted] = await db.batch([
    db
      .insert(newFiles)
      .select(
        db
          .select({
            tenant: sessions.tenant,
            sessionId: sessions.id,
            name: value(name, "name"),
            putAt: value(at, "put_at"),
          })
          .from(sessions)
          .where(and(eq(sessions.tenant, ref.tenant), eq(sessions.id, ref.id))),
      )
      .onConflictDoUpdate({
        target: [newFiles.tenant, newFiles.sessionId, newFiles.name],
        set: { putAt: at },
      })
      .returning({ name: newFiles.name }),
  ]);
  return noted.length > 0;
}

export async function forgetNewFile(db: DrizzleD1Database, ref: SessionRef, name: string): Promise<void> {
  await db.batch([db.delete(newFiles).where(and(ofSession(ref), eq(newFiles.name, name)))]);
}

/** The round's query, with the uploads in front that came before its message and that no round has named. */
export function queryWithNewFiles(
  ref: SessionRef,
  { userQuery, createdAt }: { userQuery: string; createdAt: number },
) {
  const { names, message } = splitAddedFiles(userQuery);
  const unnamed = sql`(SELECT group_concat(name, ', ') FROM new_files WHERE tenant = ${ref.tenant}
    AND session_id = ${ref.id} AND put_at <= ${createdAt}
    AND name NOT IN (SELECT json_each.value FROM json_each(${JSON.stringify(names)})))`;
  const mark = "?";
  const shown = withAddedFiles(message, [mark, ...names]);
  const [before, after] = [shown.slice(0, shown.indexOf(mark)), shown.slice(shown.indexOf(mark) + 1)];
  return sql<string>`coalesce(${before} || ${unnamed} || ${after}, ${userQuery})`.as("user_query");
}

/** They are named now; what has come since is for the next round. */
export function namedNewFiles(db: DrizzleD1Database, ref: SessionRef, createdAt: number) {
  return db.delete(newFiles).where(and(ofSession(ref), lte(newFiles.putAt, createdAt)));
}

import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { ofSession, outsideOf, postsOf, roundsOf } from "./d1-conditions.ts";
import { summariesOf } from "./d1-summaries.ts";
import type { Session } from "./session.ts";
import type { ConversationStore } from "./store.ts";
import { newFiles, outsideSignals, posts, rounds, sessions, summaries } from "./tables.ts";

/** Only the last round can be open: those left behind are failed when the next one begins. */
const isRunning = sql<number>`coalesce((SELECT r.state = 'created' FROM rounds AS r WHERE r.tenant = sessions.tenant
  AND r.session_id = sessions.id ORDER BY r.seq DESC LIMIT 1), 0)`;
/** A round is a change of its session; it isn't written down twice. */
const changedAt = sql<number>`max(${sessions.updatedAt}, coalesce((SELECT max(r.created_at, coalesce(r.finished_at, 0))
  FROM rounds AS r WHERE r.tenant = sessions.tenant AND r.session_id = sessions.id ORDER BY r.seq DESC LIMIT 1), 0))`;
export const selectSessions = (db: DrizzleD1Database) =>
  db
    .select({
      tenant: sessions.tenant,
      id: sessions.id,
      roles: sessions.roles,
      title: sessions.title,
      metadata: sessions.metadata,
      variables: sessions.variables,
      variablesVersion: sessions.variablesVersion,
      createdAt: sessions.createdAt,
      updatedAt: changedAt.as("updated_at"),
      running: isRunning,
    })
    .from(sessions);
export const toSession = ({ running, ...row }: Omit<Session, "state"> & { running: number }): Session => ({
  ...row,
  state: running ? "running" : "idle",
});

type SessionMethods =
  | "createSession"
  | "getSession"
  | "listSessions"
  | "updateSession"
  | "mergeVariables"
  | "deleteSession"
  | "findIdleSessions";

/** The sessions themselves. */
export function sessionsInD1(db: DrizzleD1Database): Pick<ConversationStore, SessionMethods> {
  return {
    async createSession(session) {
      const { state: _derived, ...row } = session;
      const madeBy = crypto.randomUUID();
      const [, found] = await db.batch([
        db
          .insert(sessions)
          .values({ ...row, madeBy })
          .onConflictDoNothing(),
        db.select({ madeBy: sessions.madeBy }).from(sessions).where(ofSession(session)),
      ]);
      return found[0]?.madeBy === madeBy;
    },

    async getSession(ref) {
      const [found] = await db.batch([selectSessions(db).where(ofSession(ref))]);
      return found[0] && toSession(found[0]);
    },

    async listSessions(tenant, { cursor, limit }) {
      const [createdAt, id] = cursor?.split("~", 2) ?? [];
      const after = cursor
        ? sql`(${sessions.createdAt}, ${sessions.id}) < (${Number(createdAt)}, ${id ?? ""})`
        : undefined;
      const [found] = await db.batch([
        selectSessions(db)
          .where(and(eq(sessions.tenant, tenant), after))
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .limit(limit + 1),
      ]);
      const items = found.slice(0, limit).map(toSession);
      const last = items.at(-1);
      return {
        items,
        ...(found.length > limit && last ? { nextCursor: `${last.createdAt}~${last.id}` } : {}),
      };
    },

    async updateSession(ref, change) {
      const [, found] = await db.batch([
        db
          .update(sessions)
          .set({ ...change, updatedAt: Date.now() })
          .where(ofSession(ref)),
        selectSessions(db).where(ofSession(ref)),
      ]);
      return found[0] && toSession(found[0]);
    },

    async mergeVariables(ref, changes) {
      const merged = sql`json_patch(${sessions.variables}, ${JSON.stringify(changes)})`;
      const [, found] = await db.batch([
        db
          .update(sessions)
          .set({
            variables: merged,
            variablesVersion: sql`${sessions.variablesVersion} + 1`,
            updatedAt: Date.now(),
          })
          .where(ofSession(ref)),
        selectSessions(db).where(ofSession(ref)),
      ]);
      return found[0] && toSession(found[0]);
    },

    async deleteSession(ref) {
      await db.batch([
        db.delete(sessions).where(ofSession(ref)),
        db.delete(rounds).where(roundsOf(ref)),
        db.delete(posts).where(postsOf(ref)),
        db.delete(outsideSignals).where(outsideOf(ref)),
        db.delete(summaries).where(summariesOf(ref)),
        db.delete(newFiles).where(and(eq(newFiles.tenant, ref.tenant), eq(newFiles.sessionId, ref.id))),
      ]);
    },

    async findIdleSessions({ before, limit }) {
      const [found] = await db.batch([
        db
          .select({ tenant: sessions.tenant, id: sessions.id })
          .from(sessions)
          .where(and(lt(sessions.updatedAt, before), lt(changedAt, before), sql`NOT ${isRunning}`))
          .orderBy(asc(sessions.updatedAt))
          .limit(limit),
      ]);
      return found;
    },
  };
}

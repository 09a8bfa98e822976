import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Experience, RawConversation } from "./experience.ts";

// Rows here are long (texts, vectors, sketches), so the tables are not clustered on their keys as those of the
// conversation are: only the small one is.

/**
 * Lessons, each on a shelf: a folder of the project (owner `project:<hash of the folder>`), or a role's knowledge in a
 * tenant's own space (owner `tenant:<tenant>`).
 */
export const experiences = sqliteTable(
  "experiences",
  {
    owner: text("owner").notNull(),
    id: text("id").notNull(),
    shelf: text("shelf").notNull(),
    subPath: text("sub_path").notNull(),
    expId: text("exp_id").notNull(),
    kind: text("kind").$type<Experience["kind"]>().notNull(),
    state: text("state").$type<Experience["state"]>().notNull(),
    error: text("error"),
    mergedInto: text("merged_into"),
    /** How often its text was tried to be drawn, and when it is to be tried next. */
    attempts: integer("attempts").notNull().default(0),
    dueAt: integer("due_at"),
    /** Of what it was made from: the same source needn't be summarised or embedded again. */
    sourceHash: text("source_hash").notNull(),
    /** The model that made the vector; each lesson begins with the lexical one. */
    model: text("model").notNull(),
    vector: text("vector").notNull(),
    /** The chunk that has its sketch; null while it is read by itself. */
    chunk: integer("chunk"),
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    text: text("text").notNull(),
    /** The conversation that it is drawn from. Last, since most readers don't want it. */
    raw: text("raw", { mode: "json" }).$type<RawConversation>(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.id] }),
    uniqueIndex("experiences_by_name").on(table.owner, table.shelf, table.subPath, table.expId),
    index("experiences_by_age").on(table.owner, table.createdAt, table.id),
    index("experiences_loose")
      .on(table.owner, table.shelf, table.subPath)
      .where(sql`chunk IS NULL AND state = 'ready'`),
    index("experiences_by_model")
      .on(table.model)
      .where(sql`state = 'ready'`),
    index("experiences_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
);

/** Sketches of many lessons' vectors in one row, so that a folder of thousands is looked through by reading a few. */
export const experienceChunks = sqliteTable(
  "experience_chunks",
  {
    owner: text("owner").notNull(),
    shelf: text("shelf").notNull(),
    subPath: text("sub_path").notNull(),
    n: integer("n").notNull(),
    model: text("model").notNull(),
    ids: text("ids", { mode: "json" }).$type<string[]>().notNull(),
    sketches: text("sketches").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.shelf, table.subPath, table.n] })],
);

/** Folders of the project that are in the database, or on their way into it. */
export const experienceSyncs = sqliteTable("experience_syncs", {
  owner: text("owner").primaryKey(),
  begunAt: integer("begun_at").notNull(),
  /** Null until all of the folder is there. */
  syncedAt: integer("synced_at"),
});

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Attachment } from "./attachment.ts";
import type { PostTrace } from "./post-trace.ts";
import type { Feedback, RoundError, RoundState, Usage } from "./round.ts";

// Keys begin with (tenant, session) and the tables are clustered on them (WITHOUT ROWID in the migration), so that a
// conversation is one range scan and an insert is one row written.

export const sessions = sqliteTable(
  "sessions",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    roles: text("roles", { mode: "json" }).$type<string[]>().notNull(),
    title: text("title"),
    metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull(),
    variablesVersion: integer("variables_version").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The write that made the row: tells that write, sent again, from another one for the same id. */
    madeBy: text("made_by"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("sessions_by_age").on(table.tenant, table.createdAt),
    index("sessions_by_change").on(table.updatedAt),
  ],
);

export const rounds = sqliteTable(
  "rounds",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
    userQuery: text("user_query").notNull(),
    state: text("state").$type<RoundState>().notNull(),
    fence: integer("fence").notNull(),
    stop: text("stop"),
    error: text("error", { mode: "json" }).$type<RoundError>(),
    usage: text("usage", { mode: "json" }).$type<Usage>(),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
    feedback: text("feedback", { mode: "json" }).$type<Feedback>(),
    /** The API key that asked for the round. */
    keyId: text("key_id"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.sessionId, table.seq] }),
    uniqueIndex("rounds_by_id").on(table.tenant, table.sessionId, table.id),
    index("rounds_open")
      .on(table.createdAt)
      .where(sql`state = 'created'`),
  ],
);

export const posts = sqliteTable(
  "posts",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    roundSeq: integer("round_seq").notNull(),
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
    sendFrom: text("send_from").notNull(),
    sendTo: text("send_to").notNull(),
    message: text("message").notNull(),
    attachments: text("attachments", { mode: "json" }).$type<Attachment[]>().notNull(),
    trace: text("trace", { mode: "json" }).$type<PostTrace>(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.sessionId, table.roundSeq, table.seq] })],
);

export const outsideSignals = sqliteTable(
  "outside_signals",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    /** Counts up in the session. */
    n: integer("n").notNull(),
    roundSeq: integer("round_seq").notNull(),
    seq: integer("seq").notNull(),
    key: text("key").notNull(),
    value: text("value"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.sessionId, table.n] })],
);

/** What roles remember of older rounds, by alias; under no alias what the rounds left that aren't loaded any more. */
export const summaries = sqliteTable(
  "summaries",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    role: text("role").notNull(),
    upTo: integer("up_to").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.sessionId, table.role] })],
);

/** Uploads that no round has named to the model yet. */
export const newFiles = sqliteTable(
  "new_files",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    name: text("name").notNull(),
    putAt: integer("put_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.sessionId, table.name] })],
);

/** What rounds have cost, added up when a round ends: it outlives the sessions. */
export const dailyUsage = sqliteTable(
  "daily_usage",
  {
    tenant: text("tenant").notNull(),
    /** In UTC, as 2026-11-21. */
    day: text("day").notNull(),
    /** Empty for rounds that no key asked for. */
    keyId: text("key_id").notNull(),
    rounds: integer("rounds").notNull(),
    failedRounds: integer("failed_rounds").notNull(),
    modelCalls: integer("model_calls").notNull(),
    promptTokens: integer("prompt_tokens").notNull(),
    completionTokens: integer("completion_tokens").notNull(),
    modelMs: integer("model_ms").notNull(),
    sandboxMs: integer("sandbox_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.day, table.keyId] })],
);

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const artifacts = sqliteTable(
  "artifacts",
  {
    tenant: text("tenant").notNull(),
    sessionId: text("session_id").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    kind: text("kind").notNull(),
    mime: text("mime").notNull(),
    size: integer("size").notNull(),
    description: text("description").notNull(),
    roundId: text("round_id").notNull(),
    postId: text("post_id").notNull(),
    createdAt: integer("created_at").notNull(),
    path: text("path"),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.sessionId, table.id] })],
);

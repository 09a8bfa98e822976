import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Where a conversation of a client that keeps no session ids has got to: by the digest of its messages so far. */
export const chatThreads = sqliteTable(
  "chat_threads",
  {
    tenant: text("tenant").notNull(),
    digest: text("digest").notNull(),
    sessionId: text("session_id").notNull(),
    /** The session's last round then. */
    roundId: text("round_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.digest] }),
    index("chat_threads_by_session").on(table.tenant, table.sessionId),
  ],
);

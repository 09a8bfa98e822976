import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Requests that came with an Idempotency-Key, and what was answered. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    tenant: text("tenant").notNull(),
    key: text("key").notNull(),
    /** Of method, path and body. */
    fingerprint: text("fingerprint").notNull(),
    /** Who works on it: tells that write, sent again, from another one. */
    claim: text("claim").notNull(),
    /** Absent while the request is being worked on. */
    status: integer("status"),
    headers: text("headers", { mode: "json" }).$type<Record<string, string>>(),
    /** Absent when it is too large for a row: it is in R2 then. */
    body: text("body"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key] }),
    index("idempotency_keys_by_expiry").on(table.expiresAt),
  ],
);

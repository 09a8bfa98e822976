import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "./key.ts";

/** The keys that `npm run keys` has made. A key itself is nowhere: only its hash is. */
export const apiKeys = sqliteTable("api_keys", {
  /** What is shown of the key, and by what it is found. */
  id: text("id").primaryKey(),
  hash: text("hash").notNull(),
  name: text("name").notNull(),
  tenant: text("tenant").notNull(),
  scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  /** To the hour: it isn't written at each call. */
  lastUsedAt: integer("last_used_at"),
});

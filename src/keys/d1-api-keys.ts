import { and, eq, isNull, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { secretsEqual } from "../lib/digest.ts";
import { hashApiKey, idOfApiKey } from "./api-key.ts";
import type { ApiKeys } from "./api-keys.ts";
import { apiKeys } from "./tables.ts";

type KeyRow = typeof apiKeys.$inferSelect;

const CACHE_MS = 30_000;
const CACHED_KEYS = 1000;
/** The last use is written down once in so long. */
const USE_MS = 3600_000;

export function createD1ApiKeys(
  database: D1Database,
  { now = Date.now }: { now?: () => number } = {},
): ApiKeys {
  const db = drizzle(database);
  const cache = new Map<string, { row: KeyRow; until: number }>();

  async function rowOf(id: string): Promise<KeyRow | undefined> {
    const cached = cache.get(id);
    if (cached && cached.until > now()) return cached.row;
    cache.delete(id);
    const [[row]] = await db.batch([db.select().from(apiKeys).where(eq(apiKeys.id, id))]);
    if (!row) return undefined;
    if (cache.size >= CACHED_KEYS) cache.clear();
    cache.set(id, { row, until: now() + CACHE_MS });
    return row;
  }

  async function noteUse(row: KeyRow): Promise<void> {
    const at = now();
    if (row.lastUsedAt !== null && at - row.lastUsedAt < USE_MS) return;
    row.lastUsedAt = at;
    await db.batch([
      db
        .update(apiKeys)
        .set({ lastUsedAt: at })
        .where(
          and(eq(apiKeys.id, row.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at - USE_MS))),
        ),
    ]);
  }

  return {
    async find(key) {
      const id = idOfApiKey(key);
      const row = id === undefined ? undefined : await rowOf(id);
      if (!row || !(await secretsEqual(await hashApiKey(key), row.hash))) return { kind: "unknown" };
      if (row.revokedAt !== null) return { kind: "revoked" };
      if (row.expiresAt !== null && row.expiresAt <= now()) return { kind: "expired" };
      await noteUse(row);
      return { kind: "caller", caller: { tenant: row.tenant, keyId: row.id, scopes: row.scopes } };
    },

    async hasAny() {
      const [found] = await db.batch([db.select({ id: apiKeys.id }).from(apiKeys).limit(1)]);
      return found.length > 0;
    },
  };
}

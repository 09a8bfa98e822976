import { and, eq, inArray, isNull, lte, or, isNotNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sha256Hex } from "../lib/digest.ts";
import { createId } from "../lib/id.ts";
import type { IdempotentRequests, KeyedRequest } from "./idempotency.ts";
import { idempotencyKeys as keys } from "./tables.ts";

/** So long whoever comes again is sent away; after that the handler may be lost, and another one joins in. */
const CLAIM_MS = 60_000;
const KEEP_MS = 24 * 3600_000;
/** What is longer lies in R2. */
const ROW_CHARACTERS = 300_000;
const ROWS_AT_ONCE = 80;

export function createIdempotentRequests(database: D1Database, bucket: R2Bucket): IdempotentRequests {
  const db = drizzle(database);
  const theKey = ({ tenant, key }: Pick<KeyedRequest, "tenant" | "key">) =>
    and(eq(keys.tenant, tenant), eq(keys.key, key));
  const openClaim = (request: Pick<KeyedRequest, "tenant" | "key">, claim: string) =>
    and(theKey(request), eq(keys.claim, claim), isNull(keys.status));
  /** No session's files lie under this name: theirs begin with a tenant in URL encoding and a slash. */
  const bodyKey = async (tenant: string, key: string) =>
    `idempotency//${await sha256Hex(JSON.stringify([tenant, key]))}`;

  return {
    async claim({ tenant, key, fingerprint }) {
      const now = Date.now();
      const claim = createId("round");
      const isOver = lte(keys.expiresAt, now);
      const [, taken, , [row]] = await db.batch([
        db.delete(keys).where(and(theKey({ tenant, key }), isOver, isNotNull(keys.status))),
        // Its handler is gone: the next one goes on with the claim as it was.
        db
          .update(keys)
          .set({ expiresAt: now + CLAIM_MS })
          .where(and(theKey({ tenant, key }), isOver, isNull(keys.status), eq(keys.fingerprint, fingerprint)))
          .returning({ claim: keys.claim }),
        db
          .insert(keys)
          .values({ tenant, key, fingerprint, claim, expiresAt: now + CLAIM_MS })
          .onConflictDoNothing(),
        db.select().from(keys).where(theKey({ tenant, key })),
      ]);
      if (!row) return { kind: "in_progress" };
      if (row.claim === claim || taken.length > 0)
        return { kind: "claimed", claim: row.claim, isFirst: taken.length === 0 };
      if (row.fingerprint !== fingerprint) return { kind: "other_request" };
      if (row.status === null) return { kind: "in_progress" };
      const body = row.body ?? (await (await bucket.get(await bodyKey(tenant, key)))?.text()) ?? "";
      return { kind: "answered", answer: { status: row.status, headers: row.headers ?? {}, body } };
    },

    async keep({ tenant, key }, claim, { status, headers, body }) {
      const isLarge = body.length > ROW_CHARACTERS;
      if (isLarge) await bucket.put(await bodyKey(tenant, key), body);
      await db.batch([
        db
          .update(keys)
          .set({ status, headers, body: isLarge ? null : body, expiresAt: Date.now() + KEEP_MS })
          .where(and(theKey({ tenant, key }), eq(keys.claim, claim))),
      ]);
    },

    async forget({ tenant, key }, claim) {
      await db.batch([db.delete(keys).where(openClaim({ tenant, key }, claim))]);
    },

    async handOver({ tenant, key }, claim) {
      await db.batch([
        db.update(keys).set({ expiresAt: Date.now() }).where(openClaim({ tenant, key }, claim)),
      ]);
    },

    async forgetOld(now) {
      const [old] = await db.batch([
        db
          .select({
            tenant: keys.tenant,
            key: keys.key,
            body: keys.body,
            status: keys.status,
            claim: keys.claim,
          })
          .from(keys)
          .where(
            and(lte(keys.expiresAt, now), or(isNotNull(keys.status), lte(keys.expiresAt, now - KEEP_MS))),
          )
          .limit(ROWS_AT_ONCE),
      ]);
      const large = old.filter(({ body, status }) => body === null && status !== null);
      await bucket.delete(await Promise.all(large.map(({ tenant, key }) => bodyKey(tenant, key))));
      if (old.length > 0) {
        const claims = old.map(({ claim }) => claim);
        await db.batch([db.delete(keys).where(and(inArray(keys.claim, claims), lte(keys.expiresAt, now)))]);
      }
      return old.length;
    },
  };
}

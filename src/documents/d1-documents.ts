import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { and, asc, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Embedder } from "../embeddings/embedder.ts";
import { chunk } from "../lib/chunk.ts";
import { sha256Hex } from "../lib/digest.ts";
import type { DocumentStore, StoredDocument } from "./document.ts";
import { makePassages, type Cutting, type PassageRow } from "./passages.ts";
import { readText } from "./read-text.ts";
import { documents } from "./tables.ts";

type DocumentRow = typeof documents.$inferSelect;

/** As much as one statement takes: a parameter may have 2,000,000 bytes, a character up to three. */
const STATEMENT = { count: 500, size: 500_000 };

/** A tenant's documents: passages in D1, bodies in R2. */
export function createD1Documents(options: {
  database: D1Database;
  bucket: R2Bucket;
  tenant: string;
  cutting: Cutting;
  lexical: Embedder;
}): DocumentStore {
  const { database, bucket, tenant, cutting, lexical } = options;
  const db = drizzle(database);
  const named = (name: string) => and(eq(documents.tenant, tenant), eq(documents.name, name));
  // No session's prefix begins with a colon.
  const bodyKey = (name: string, version: string) =>
    `:documents/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}/${version}`;

  async function findRow(name: string): Promise<DocumentRow | undefined> {
    const [found] = await db.batch([db.select().from(documents).where(named(name))]);
    return found[0];
  }

  /** One transaction: who searches finds the document as it was or as it is. */
  async function replace(row: DocumentRow, made: Awaited<ReturnType<typeof makePassages>>) {
    const { name } = row;
    const [before] = await database.batch<{ version: string }>([
      database.prepare("SELECT version FROM documents WHERE tenant = ? AND name = ?").bind(tenant, name),
      ...deletions(name),
      ...chunk(made.passages, STATEMENT, passageSize).map((part) => insertPassages(name, part)),
      database
        .prepare(
          `INSERT INTO document_sketches (tenant, name, n, count, model, sketches)
           SELECT ?, ?, value ->> 'n', value ->> 'count', ?, value ->> 'sketches' FROM json_each(?)`,
        )
        .bind(tenant, name, row.model, JSON.stringify(made.sketches)),
      database
        .prepare(
          `INSERT INTO documents (tenant, name, version, mime, size, source_hash, passages, model, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .bind(
          tenant,
          name,
          row.version,
          row.mime,
          row.size,
          row.sourceHash,
          row.passages,
          row.model,
          row.createdAt,
          row.updatedAt,
        ),
    ]);
    return before!.results[0]?.version;
  }

  const deletions = (name: string): D1PreparedStatement[] =>
    ["documents", "document_passages", "document_sketches"].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE tenant = ? AND name = ?`).bind(tenant, name),
    );

  const insertPassages = (name: string, passages: PassageRow[]): D1PreparedStatement =>
    database
      .prepare(
        `INSERT INTO document_passages (tenant, name, n, start, "end", headings, model, vector, text)
         SELECT ?, ?, value ->> 'n', value ->> 'start', value ->> 'end', value -> 'headings', value ->> 'model',
           value ->> 'vector', value ->> 'text' FROM json_each(?)`,
      )
      .bind(tenant, name, JSON.stringify(passages));

  return {
    async put(name, body, mime) {
      const bytes = new Uint8Array(body);
      const sourceHash = await sha256Hex(JSON.stringify([mime, cutting, await sha256Hex(bytes)]));
      const earlier = await findRow(name);
      if (earlier?.sourceHash === sourceHash) return { document: toDocument(earlier), isNew: false };
      const text = readText(name, mime, bytes);
      const made = await makePassages({ name, text, cutting, embedder: lexical });
      const now = Date.now();
      const row: DocumentRow = {
        tenant,
        name,
        version: crypto.randomUUID(),
        mime,
        size: bytes.length,
        sourceHash,
        passages: made.passages.length,
        model: lexical.model,
        createdAt: earlier?.createdAt ?? now,
        updatedAt: now,
      };
      const key = bodyKey(name, row.version);
      await bucket.put(key, bytes, { httpMetadata: { contentType: mime } });
      const replaced = await replace(row, made).catch(async (error: unknown) => {
        await bucket.delete(key);
        throw error;
      });
      if (replaced !== undefined && replaced !== row.version) await bucket.delete(bodyKey(name, replaced));
      return { document: toDocument(row), isNew: !earlier };
    },

    async list({ cursor, limit }) {
      const [rows] = await db.batch([
        db
          .select()
          .from(documents)
          .where(
            and(eq(documents.tenant, tenant), cursor === undefined ? undefined : gt(documents.name, cursor)),
          )
          .orderBy(asc(documents.name))
          .limit(limit + 1),
      ]);
      const items = rows.slice(0, limit).map(toDocument);
      return { items, ...(rows.length > limit ? { nextCursor: items.at(-1)!.name } : {}) };
    },

    async find(name) {
      const row = await findRow(name);
      return row && toDocument(row);
    },

    async open(name, range) {
      const row = await findRow(name);
      const object = row && (await bucket.get(bodyKey(name, row.version), range ? { range } : {}));
      return row && object ? { ...toDocument(row), body: object.body } : undefined;
    },

    async remove(name) {
      const row = await findRow(name);
      if (!row) return false;
      await database.batch(deletions(name));
      await bucket.delete(bodyKey(name, row.version));
      return true;
    },
  };
}

const passageSize = ({ text, vector }: PassageRow): number => text.length + vector.length + 200;

function toDocument({ tenant: _tenant, version: _version, sourceHash, ...row }: DocumentRow): StoredDocument {
  return { ...row, etag: `"${sourceHash.slice(0, 32)}"` };
}

import type { D1Database } from "@cloudflare/workers-types";
import type { Embedder } from "../embeddings/embedder.ts";
import { packVector, unpackVector } from "../embeddings/vector.ts";
import { embeddedText, packRows } from "./passages.ts";

const PASSAGES_AT_ONCE = 100;
/** In one go: the rest is done by the next. */
const MOST_DOCUMENTS = 200;

interface DueDocument {
  tenant: string;
  name: string;
  version: string;
}

interface DuePassage {
  n: number;
  headings: string;
  text: string;
}

/**
 * Embeds documents by the current model that were embedded by another one, or only lexically so far. Until then they are
 * found by what they have. A document that is put anew meanwhile is left to the next one who comes by.
 */
export async function embedDocuments(database: D1Database, current: Embedder): Promise<void> {
  for (let done = 0; done < MOST_DOCUMENTS; done++) {
    const [found] = await database.batch<DueDocument>([
      database
        .prepare("SELECT tenant, name, version FROM documents WHERE model < ?1 OR model > ?1 LIMIT 1")
        .bind(current.model),
    ]);
    const [document] = found!.results;
    if (!document) return;
    while (await embedPassages(database, document, current));
    await sketchAnew(database, document, current);
  }
}

/** As long as the document is the one that was read. */
const IS_SAME = "EXISTS (SELECT 1 FROM documents WHERE tenant = ?1 AND name = ?2 AND version = ?3)";

/** True while there may be more to do. */
async function embedPassages(
  database: D1Database,
  { tenant, name, version }: DueDocument,
  current: Embedder,
): Promise<boolean> {
  const [found] = await database.batch<DuePassage>([
    database
      .prepare(
        `SELECT n, headings, text FROM document_passages WHERE tenant = ?1 AND name = ?2 AND model <> ?4 AND ${IS_SAME}
         ORDER BY n LIMIT ${PASSAGES_AT_ONCE}`,
      )
      .bind(tenant, name, version, current.model),
  ]);
  const rows = found!.results;
  if (rows.length === 0) return false;
  const texts = rows.map(({ headings, text }) =>
    embeddedText(name, { headings: JSON.parse(headings) as string[], text }),
  );
  const vectors = await current.embed(texts);
  await database.batch(
    rows.map(({ n }, index) =>
      database
        .prepare(
          `UPDATE document_passages SET model = ?4, vector = ?5
           WHERE tenant = ?1 AND name = ?2 AND n = ?6 AND ${IS_SAME}`,
        )
        .bind(tenant, name, version, current.model, packVector(vectors[index]!), n),
    ),
  );
  return rows.length === PASSAGES_AT_ONCE;
}

async function sketchAnew(
  database: D1Database,
  { tenant, name, version }: DueDocument,
  current: Embedder,
): Promise<void> {
  const [found] = await database.batch<{ vector: string }>([
    database
      .prepare(
        `SELECT vector FROM document_passages WHERE tenant = ?1 AND name = ?2 AND ${IS_SAME} ORDER BY n`,
      )
      .bind(tenant, name, version),
  ]);
  const rows = packRows(found!.results.map(({ vector }) => unpackVector(vector)));
  await database.batch([
    database
      .prepare(`DELETE FROM document_sketches WHERE tenant = ?1 AND name = ?2 AND ${IS_SAME}`)
      .bind(tenant, name, version),
    database
      .prepare(
        `INSERT INTO document_sketches (tenant, name, n, count, model, sketches)
         SELECT ?1, ?2, value ->> 'n', value ->> 'count', ?4, value ->> 'sketches' FROM json_each(?5) WHERE ${IS_SAME}`,
      )
      .bind(tenant, name, version, current.model, JSON.stringify(rows)),
    database
      .prepare("UPDATE documents SET model = ?4 WHERE tenant = ?1 AND name = ?2 AND version = ?3")
      .bind(tenant, name, version, current.model),
  ]);
}

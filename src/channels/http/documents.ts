import { Hono, type Context } from "hono";
import * as z from "zod";
import { DocumentRefusedError, type StoredDocument } from "../../documents/document.ts";
import { mediaTypeOf } from "../../files/media-type.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";
import { fileName } from "./file-name.ts";
import { readJson, readPage } from "./read-json.ts";
import { serveFile } from "./serve-file.ts";

export const documentSearch = z.strictObject({
  query: z.string().min(1).max(20_000),
  k: z.int().min(1).max(50).default(5),
});

/** Tokens of a passage that is found by the API. */
const TARGET_TOKENS = 256;
const THRESHOLD = 0.2;

/** The documents that all of a tenant's sessions can look things up in. */
export const documentRoutes = new Hono<HttpEnv>()
  .get("/v1/documents", async (c) => {
    const { items, nextCursor } = await storeOf(c).list(readPage(c.req.raw));
    return c.json({ data: items.map(wireDocument), next_cursor: nextCursor ?? null });
  })

  .post("/v1/documents/search", async (c) => {
    const { query, k } = await readJson(c.req.raw, documentSearch);
    const { deployment, tenant } = c.var;
    const { snippets } = await deployment.documents
      .sourceFor(tenant)
      .search({ query, limit: k, targetTokens: TARGET_TOKENS, threshold: THRESHOLD });
    return c.json({ data: snippets });
  })

  .put("/v1/documents/:name", async (c) => {
    const name = fileName(c.req.param("name"));
    const { maxBytes } = c.var.deployment.config.documents;
    const body = await readBody(c.req.raw, maxBytes);
    const mime = mediaTypeOf(name, c.req.header("content-type"));
    const { document, isNew } = await storeOf(c)
      .put(name, body, mime)
      .catch((error: unknown) => {
        if (!(error instanceof DocumentRefusedError)) throw error;
        const status = error.code === "unsupported_document" ? 415 : 422;
        throw new HttpProblem(status, error.code, error.message);
      });
    c.var.deployment.documents.embedSoon();
    return c.json(wireDocument(document), isNew ? 201 : 200);
  })

  .get("/v1/documents/:name", (c) => {
    const store = storeOf(c);
    const name = fileName(c.req.param("name"));
    return serveFile(c.req.raw, {
      find: () => store.find(name),
      open: (range) => store.open(name, range),
      notFound: documentNotFound,
    });
  })

  .delete("/v1/documents/:name", async (c) => {
    if (!(await storeOf(c).remove(fileName(c.req.param("name"))))) throw documentNotFound();
    return c.body(null, 204);
  });

const storeOf = (c: Context<HttpEnv>) => c.var.deployment.documents.storeFor(c.var.tenant);

/** @throws HttpProblem as soon as it is known to be too large. */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new HttpProblem(
      413,
      "document_too_large",
      `A document takes ${limit} bytes at most (documents.max_bytes).`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const body = await request.bytes();
  if (body.length > limit) throw tooLarge();
  return body;
}

const documentNotFound = () => new HttpProblem(404, "document_not_found", "There is no such document.");

function wireDocument({ name, mime, size, etag, passages, model, createdAt, updatedAt }: StoredDocument) {
  return {
    name,
    mime,
    size,
    etag,
    passages,
    embedded_by: model,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

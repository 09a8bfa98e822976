import { Hono, type Context } from "hono";
import { FileTooLargeError, type StoredFile } from "../../files/files.ts";
import { mediaTypeOf } from "../../files/media-type.ts";
import { uploadId } from "./file-id.ts";
import { fileName } from "./file-name.ts";
import type { HttpEnv } from "./http.ts";
import { answerLink } from "./links.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { readPage } from "./read-json.ts";
import { serveFile } from "./serve-file.ts";

export const fileRoutes = new Hono<HttpEnv>()
  .get("/v1/sessions/:id/files", async (c) => {
    const { ref, store, files } = await sessionOf(c);
    const { limit, cursor } = readPage(c.req.raw);
    const [session, uploads] = await Promise.all([store.getSession(ref), files.listUploads()]);
    if (!session) throw sessionNotFound(ref.id);
    const rest = uploads.filter(({ name }) => cursor === undefined || name > cursor);
    const ordered = rest.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const page = ordered.slice(0, limit);
    const more = ordered.length > limit ? page.at(-1)!.name : null;
    return c.json({ data: page.map((file) => wireFile(ref.id, file)), next_cursor: more });
  })

  .put("/v1/sessions/:id/files/:name", async (c) => {
    const { ref, store, files } = await sessionOf(c);
    const name = nameOf(c);
    const { maxUploadBytes: limit } = c.var.deployment.config.http;
    const size = lengthOf(c.req.header("content-length"));
    if (size !== undefined && size > limit) throw tooLarge(limit);
    const [session, earlier] = await Promise.all([store.getSession(ref), files.findUpload(name)]);
    if (!session) throw sessionNotFound(ref.id);
    try {
      const body = c.req.raw.body ?? new Uint8Array();
      const mime = mediaTypeOf(name, c.req.header("content-type"));
      const stored = await files.putUpload(name, body, {
        mime,
        limit,
        ...(size === undefined ? {} : { size }),
      });
      if (!(await store.noteNewFile(ref, name, Date.now()))) {
        await files.deleteUpload(name);
        throw sessionNotFound(ref.id);
      }
      return c.json(wireFile(ref.id, stored), earlier ? 200 : 201);
    } catch (error) {
      if (error instanceof FileTooLargeError) throw tooLarge(limit);
      throw error;
    }
  })

  .get("/v1/sessions/:id/files/:name", async (c) => {
    const { files } = await sessionOf(c);
    const name = nameOf(c);
    return serveFile(c.req.raw, {
      find: () => files.findUpload(name),
      open: (range) => files.getUpload(name, range),
      notFound: fileNotFound,
    });
  })

  .delete("/v1/sessions/:id/files/:name", async (c) => {
    const { ref, store, files } = await sessionOf(c);
    const name = nameOf(c);
    if (!(await files.findUpload(name))) throw fileNotFound();
    await store.forgetNewFile(ref, name);
    await files.deleteUpload(name);
    return c.body(null, 204);
  })

  .post("/v1/sessions/:id/files/:name/link", async (c) => {
    const { files } = await sessionOf(c);
    if (!(await files.findUpload(nameOf(c)))) throw fileNotFound();
    return answerLink(c);
  });

async function sessionOf(c: Context<HttpEnv>) {
  const ref = { tenant: c.var.tenant, id: c.req.param("id")! };
  return { ref, ...(await c.var.deployment.messageServices(ref)) };
}

const nameOf = (c: Context<HttpEnv>) => fileName(c.req.param("name")!);

const lengthOf = (header: string | undefined) =>
  header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;

const tooLarge = (limit: number) =>
  new HttpProblem(413, "file_too_large", `A file takes ${limit} bytes at most (files.max_upload_bytes).`);

const fileNotFound = () => new HttpProblem(404, "file_not_found", "There is no such file in this session.");

function wireFile(sessionId: string, { name, size, mime, etag, uploadedAt }: StoredFile) {
  return {
    id: uploadId(sessionId, name),
    name,
    size,
    mime,
    etag,
    uploaded_at: new Date(uploadedAt).toISOString(),
  };
}

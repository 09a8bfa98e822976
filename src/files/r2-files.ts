import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SessionRef } from "../memory/session.ts";
import type { Artifact, SessionFiles, StoredFile } from "./files.ts";
import { putStream } from "./put-stream.ts";
import { sessionPrefix } from "./session-prefix.ts";
import { artifacts } from "./tables.ts";

/** Bodies in R2 under the tenant's and session's own prefix, the list of artifacts in D1. */
export function createR2Files(bucket: R2Bucket, database: D1Database, ref: SessionRef): SessionFiles {
  const db = drizzle(database);
  const prefix = sessionPrefix(ref);
  const uploadKey = (name: string) => `${prefix}files/${name}`;
  const artifactKey = (id: string) => `${prefix}artifacts/${id}`;
  const ofSession = and(eq(artifacts.tenant, ref.tenant), eq(artifacts.sessionId, ref.id));

  async function* objects(under: string): AsyncGenerator<R2Object> {
    let cursor: string | undefined;
    do {
      const page = await bucket.list({
        prefix: under,
        include: ["httpMetadata"],
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.objects;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }

  const toArtifact = ({
    tenant: _tenant,
    sessionId: _session,
    ...row
  }: typeof artifacts.$inferSelect): Artifact => row;

  const toUpload = ({ key, size, httpEtag, httpMetadata, uploaded }: R2Object): StoredFile => ({
    name: key.slice(uploadKey("").length),
    size,
    mime: httpMetadata?.contentType ?? "application/octet-stream",
    etag: httpEtag,
    uploadedAt: uploaded.getTime(),
  });

  async function artifactRow(id: string) {
    const [rows] = await db.batch([
      db
        .select()
        .from(artifacts)
        .where(and(ofSession, eq(artifacts.id, id))),
    ]);
    return rows[0];
  }

  return {
    async putUpload(name, body, { mime = "application/octet-stream", size, limit = Infinity } = {}) {
      const object = await putStream({ bucket, key: uploadKey(name), body, mime, size, limit });
      return toUpload(object);
    },

    async listUploads() {
      const files = [];
      for await (const object of objects(uploadKey(""))) files.push(toUpload(object));
      return files;
    },

    async findUpload(name) {
      const object = await bucket.head(uploadKey(name));
      return object ? toUpload(object) : undefined;
    },

    async getUpload(name, range) {
      const object = await bucket.get(uploadKey(name), range ? { range } : {});
      return object ? { ...toUpload(object), body: object.body } : undefined;
    },

    async deleteUpload(name) {
      await bucket.delete(uploadKey(name));
    },

    async putArtifact(artifact, { body, size }) {
      await bucket.put(artifactKey(artifact.id), body.pipeThrough(new FixedLengthStream(size)), {
        httpMetadata: { contentType: artifact.mime },
      });
      const row = { tenant: ref.tenant, sessionId: ref.id, ...artifact };
      await db.batch([
        db
          .insert(artifacts)
          .values(row)
          .onConflictDoUpdate({ target: [artifacts.tenant, artifacts.sessionId, artifacts.id], set: row }),
      ]);
    },

    async listArtifacts() {
      const [rows] = await db.batch([
        db.select().from(artifacts).where(ofSession).orderBy(asc(artifacts.createdAt), asc(artifacts.id)),
      ]);
      return rows.map(toArtifact);
    },

    async findArtifact(id) {
      const [row, object] = await Promise.all([artifactRow(id), bucket.head(artifactKey(id))]);
      return row && object ? { ...toArtifact(row), etag: object.httpEtag } : undefined;
    },

    async getArtifact(id, range) {
      const [row, object] = await Promise.all([
        artifactRow(id),
        bucket.get(artifactKey(id), range ? { range } : {}),
      ]);
      return row && object
        ? { artifact: toArtifact(row), body: object.body, size: object.size, etag: object.httpEtag }
        : undefined;
    },

    async deleteAll() {
      const keys: string[] = [];
      for await (const { key } of objects(prefix)) keys.push(key);
      // R2 takes up to 1,000 keys a call.
      for (let start = 0; start < keys.length; start += 1000)
        await bucket.delete(keys.slice(start, start + 1000));
      await db.batch([db.delete(artifacts).where(ofSession)]);
    },
  };
}

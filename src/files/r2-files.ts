import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SessionRef } from "../memory/session.ts";
import type { Artifact, SessionFiles } from "./files.ts";
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
      const page = await bucket.list({ prefix: under, ...(cursor === undefined ? {} : { cursor }) });
      yield* page.objects;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }

  const toArtifact = ({
    tenant: _tenant,
    sessionId: _session,
    ...row
  }: typeof artifacts.$inferSelect): Artifact => row;

  return {
    async putUpload(name, body) {
      await bucket.put(uploadKey(name), body);
    },

    async listUploads() {
      const files = [];
      for await (const { key, size, uploaded } of objects(uploadKey(""))) {
        files.push({ name: key.slice(uploadKey("").length), size, uploadedAt: uploaded.getTime() });
      }
      return files;
    },

    async getUpload(name) {
      const object = await bucket.get(uploadKey(name));
      return object ? { body: object.body, size: object.size } : undefined;
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

    async getArtifact(id) {
      const [[row], object] = await Promise.all([
        db
          .batch([
            db
              .select()
              .from(artifacts)
              .where(and(ofSession, eq(artifacts.id, id))),
          ])
          .then(([rows]) => rows),
        bucket.get(artifactKey(id)),
      ]);
      return row && object ? { artifact: toArtifact(row), body: object.body, size: object.size } : undefined;
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

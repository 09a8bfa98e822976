import type { PostBodies } from "../memory/large-posts.ts";
import type { SessionRef } from "../memory/session.ts";
import { sessionPrefix } from "./session-prefix.ts";

/** Bodies of large posts in R2, under their session's prefix. */
export function createR2PostBodies(bucket: R2Bucket): PostBodies {
  const key = (ref: SessionRef, name: string) => `${sessionPrefix(ref)}posts/${name}`;
  return {
    async put(ref, name, body) {
      await bucket.put(key(ref, name), body, { httpMetadata: { contentType: "application/json" } });
    },
    async get(ref, name) {
      return (await bucket.get(key(ref, name)))?.text();
    },
  };
}

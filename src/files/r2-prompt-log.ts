import type { SessionRef } from "../memory/session.ts";
import { createId } from "../lib/id.ts";
import { sessionPrefix } from "./session-prefix.ts";

/** Keeps records under their session's prefix in R2, so that they go with the session. */
export function createR2PromptLog(bucket: R2Bucket, waitUntil: (work: Promise<unknown>) => void) {
  return (ref: SessionRef, record: object): void => {
    const key = `${sessionPrefix(ref)}prompts/${createId("prompt")}.json`;
    const kept = bucket.put(key, JSON.stringify(record), {
      httpMetadata: { contentType: "application/json" },
    });
    waitUntil(kept.catch((error: unknown) => console.warn("A prompt was not kept.", error)));
  };
}

import type { D1Database } from "@cloudflare/workers-types";
import type { Embedders } from "../embeddings/embedder.ts";
import { createD1DocumentSource } from "./d1-document-source.ts";
import { createD1Documents } from "./d1-documents.ts";
import type { DocumentSource, DocumentStore } from "./document.ts";
import { embedDocuments } from "./embed-documents.ts";
import type { Cutting } from "./passages.ts";

/** The documents of a deployment, each tenant's apart. */
export interface DocumentLibrary {
  storeFor(tenant: string): DocumentStore;
  /** The database, where one is given, is the one whose use is counted. */
  sourceFor(tenant: string, database?: D1Database): DocumentSource;
  /** Documents have come that are to be embedded by the model; nobody waits for it. */
  embedSoon(): void;
  /** Does what is left to do; called from time to time. */
  tend(): Promise<void>;
}

export function createDocumentLibrary(options: {
  database: D1Database;
  bucket: R2Bucket;
  embedders: Embedders;
  cutting: Cutting;
  /** Keeps the isolate alive for it. */
  waitUntil(work: Promise<unknown>): void;
}): DocumentLibrary {
  const { database, bucket, embedders, cutting } = options;
  const { current, lexical } = embedders;
  let running: Promise<void> | undefined;
  let isMore = false;

  /** One at a time; what comes meanwhile is looked for once more. */
  async function embed(): Promise<void> {
    do {
      isMore = false;
      await embedDocuments(database, current);
    } while (isMore);
  }

  return {
    storeFor: (tenant) => createD1Documents({ database, bucket, tenant, cutting, lexical }),
    sourceFor: (tenant, counted = database) =>
      createD1DocumentSource({ database: counted, tenant, embedders }),
    embedSoon() {
      isMore = true;
      // A document comes with its lexical vectors.
      if (current === lexical || running) return;
      running = embed()
        .catch((error: unknown) => console.warn("Documents could not be embedded yet.", error))
        .finally(() => (running = undefined));
      options.waitUntil(running);
    },
    tend: () => embedDocuments(database, current),
  };
}

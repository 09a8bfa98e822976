import type { ByteRange, FileBody } from "../files/files.ts";
import type { Page } from "../memory/store.ts";

/** A document that a tenant has given to its deployment, for all its sessions to look things up in. */
export interface StoredDocument {
  /** Its name among the tenant's, as a file's. */
  name: string;
  mime: string;
  /** Of the body in bytes. */
  size: number;
  /** Changes with the content. */
  etag: string;
  /** Passages that it was cut into. */
  passages: number;
  /** The model by which all of them can be found. */
  model: string;
  createdAt: number;
  updatedAt: number;
}

/** A passage of a document that has to do with what was asked. */
export interface Snippet {
  document: string;
  /** The headings that it stands under, outermost first. */
  headings: string[];
  text: string;
  /** On the scale of `experience.retrieve_threshold`: 0.2 parts what has to do with the query from what hasn't. */
  score: number;
}

export interface DocumentQuery {
  query: string;
  /** Snippets at most. */
  limit: number;
  /** Tokens that a snippet is grown to by what stands around it. */
  targetTokens: number;
  threshold: number;
}

/** Where roles look things up; another tenant's documents are not there. */
export interface DocumentSource {
  search(query: DocumentQuery): Promise<{
    /** Best first; none when nothing has to do with the query. */
    snippets: Snippet[];
    /** How many documents there were to look through. */
    documents: number;
  }>;
}

/** A tenant's documents. */
export interface DocumentStore {
  /**
   * Takes the place of an earlier one of the name. It is found at once, by its words; by the embedding model a little
   * later. The same body again changes nothing. @throws DocumentRefusedError
   */
  put(name: string, body: Uint8Array, mime: string): Promise<{ document: StoredDocument; isNew: boolean }>;
  /** By name. */
  list(page: { cursor?: string; limit: number }): Promise<Page<StoredDocument>>;
  find(name: string): Promise<StoredDocument | undefined>;
  open(name: string, range?: ByteRange): Promise<(StoredDocument & FileBody) | undefined>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
}

/** Why a body can't be taken as a document; the message says what to send instead. */
export class DocumentRefusedError extends Error {
  readonly code: "unsupported_document" | "document_empty";
  constructor(code: DocumentRefusedError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

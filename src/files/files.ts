export interface StoredFile {
  name: string;
  size: number;
  mime: string;
  /** Changes with the content. */
  etag: string;
  uploadedAt: number;
}

/** Of a file's bytes, `length` from `offset` on. */
export interface ByteRange {
  offset: number;
  length: number;
}

export interface FileBody {
  body: ReadableStream<Uint8Array>;
  /** Of the whole file, also when a part of it was asked for. */
  size: number;
}

/** The body is longer than it may be. */
export class FileTooLargeError extends Error {
  readonly code = "file_too_large";
  readonly limit: number;
  constructor(limit: number) {
    super(`The file is over ${limit} bytes (files.max_upload_bytes).`);
    this.limit = limit;
  }
}

/** What code produced, as it is listed to clients. */
export interface Artifact {
  id: string;
  name: string;
  kind: string;
  mime: string;
  size: number;
  description: string;
  roundId: string;
  postId: string;
  createdAt: number;
  /** Where it lies in the working folder; null for one that was brought along from before this was noted. */
  path: string | null;
}

/** An artifact as clients see it. */
export function wireArtifact({ roundId, postId, createdAt, path: _path, ...rest }: Artifact) {
  return { ...rest, round_id: roundId, post_id: postId, created_at: new Date(createdAt).toISOString() };
}

/** The files of one session: what its user uploaded and what its code produced. Nothing else can be named through it. */
export interface SessionFiles {
  /**
   * Replaces an earlier upload of the same name. A stream of unknown length is stored piece by piece, and given up at
   * the limit. @throws FileTooLargeError
   */
  putUpload(
    name: string,
    body: ReadableStream<Uint8Array> | Uint8Array,
    options?: { mime?: string; size?: number; limit?: number },
  ): Promise<StoredFile>;
  listUploads(): Promise<StoredFile[]>;
  findUpload(name: string): Promise<StoredFile | undefined>;
  getUpload(name: string, range?: ByteRange): Promise<(FileBody & StoredFile) | undefined>;
  deleteUpload(name: string): Promise<void>;
  /** The same id again replaces the artifact: a resumed turn reports it once more. */
  putArtifact(artifact: Artifact, body: FileBody): Promise<void>;
  listArtifacts(): Promise<Artifact[]>;
  findArtifact(id: string): Promise<(Artifact & { etag: string }) | undefined>;
  getArtifact(
    id: string,
    range?: ByteRange,
  ): Promise<(FileBody & { artifact: Artifact; etag: string }) | undefined>;
  deleteAll(): Promise<void>;
}

export class InvalidFileNameError extends Error {
  readonly code = "invalid_file_name";
  readonly fileName: string;
  constructor(fileName: string, why: string) {
    super(`"${fileName.slice(0, 100)}" can't be a file's name: ${why}.`);
    this.fileName = fileName;
  }
}

const CONTROL_CHARACTERS = /\p{Cc}/u;

/** Checks a name for the working folder: one plain name, no path. */
export function parseFileName(name: string): string {
  if (name === "" || name === "." || name === "..") throw new InvalidFileNameError(name, "it names no file");
  if (/[/\\]/.test(name))
    throw new InvalidFileNameError(name, "it holds a slash or backslash; give the bare name");
  if (!name.isWellFormed()) throw new InvalidFileNameError(name.toWellFormed(), "it is not valid Unicode");
  if (CONTROL_CHARACTERS.test(name)) throw new InvalidFileNameError(name, "it holds a control character");
  if (new TextEncoder().encode(name).length > 255)
    throw new InvalidFileNameError(name, "it is over 255 bytes long");
  return name;
}

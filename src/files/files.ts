export interface StoredFile {
  name: string;
  size: number;
  uploadedAt: number;
}

export interface FileBody {
  body: ReadableStream<Uint8Array>;
  size: number;
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
}

/** The files of one session: what its user uploaded and what its code produced. Nothing else can be named through it. */
export interface SessionFiles {
  /** Replaces an earlier upload of the same name. */
  putUpload(name: string, body: ReadableStream<Uint8Array> | Uint8Array): Promise<void>;
  listUploads(): Promise<StoredFile[]>;
  getUpload(name: string): Promise<FileBody | undefined>;
  /** The same id again replaces the artifact: a resumed turn reports it once more. */
  putArtifact(artifact: Artifact, body: FileBody): Promise<void>;
  listArtifacts(): Promise<Artifact[]>;
  getArtifact(id: string): Promise<(FileBody & { artifact: Artifact }) | undefined>;
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
  if (CONTROL_CHARACTERS.test(name)) throw new InvalidFileNameError(name, "it holds a control character");
  if (new TextEncoder().encode(name).length > 255)
    throw new InvalidFileNameError(name, "it is over 255 bytes long");
  return name;
}

import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Transform } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SandboxError } from "./errors.ts";
import type { FileInfo } from "./protocol.ts";

export const MAXIMUM_FILE = 90 * 1024 * 1024;
const MAXIMUM_LISTED = 10_000;
const MAXIMUM_NAME = 255;

/** The files of one context. This process may open anything, so every name is checked here: it stays inside the folder,
 *  and a link is never followed. */
export class WorkingFolder {
  readonly root: string;
  /** Beside the root and out of Python's reach; files are complete before they appear in the root. */
  readonly #incoming: string;

  constructor(root: string, incoming: string) {
    this.root = root;
    this.#incoming = incoming;
  }

  async list(): Promise<FileInfo[]> {
    const found: FileInfo[] = [];
    const waiting = [""];
    while (waiting.length > 0 && found.length < MAXIMUM_LISTED) {
      const inside = waiting.shift() ?? "";
      const entries = await readdir(join(this.root, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) {
          const status = await stat(join(this.root, path)).catch(() => undefined);
          if (status) found.push({ path, size: status.size, mtime: Math.floor(status.mtimeMs) });
        }
      }
    }
    return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The file, open, with its hash. The caller closes `handle`. */
  async open(segments: string[]): Promise<{ info: FileInfo; etag: string; handle: FileHandle }> {
    const path = checkName(segments);
    const place = await this.#place(path, false);
    // Not blocking: a named pipe would keep the open waiting for its writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(place, flags).catch(() => undefined);
    const status = await handle?.stat();
    if (!handle || !status?.isFile()) {
      await handle?.close();
      throw notFound(path);
    }
    const hash = createHash("sha256");
    const contents = handle.createReadStream({ start: 0, autoClose: false });
    for await (const piece of contents) hash.update(piece as Buffer);
    const info = { path, size: status.size, mtime: Math.floor(status.mtimeMs) };
    return { info, etag: hash.digest("hex"), handle };
  }

  async put(segments: string[], body: Readable): Promise<{ info: FileInfo; etag: string; created: boolean }> {
    const path = checkName(segments);
    const temporary = join(this.#incoming, randomUUID());
    await mkdir(this.#incoming, { recursive: true });
    const hash = createHash("sha256");
    try {
      const handle = await open(temporary, "wx", 0o644);
      await this.#giveToOwner(handle);
      await pipeline(body, limited(hash), handle.createWriteStream());
      const place = await this.#place(path, true);
      const before = await stat(place).catch(() => undefined);
      if (before?.isDirectory()) throw new SandboxError("invalid_name", `${path} is a folder.`);
      await rename(temporary, place);
      const status = await stat(place);
      const info = { path, size: status.size, mtime: Math.floor(status.mtimeMs) };
      return { info, etag: hash.digest("hex"), created: !before };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async remove(segments: string[]): Promise<void> {
    const path = checkName(segments);
    const place = await this.#place(path, false);
    await rm(place, { recursive: true }).catch(() => {
      throw notFound(path);
    });
  }

  /** The path on the host: the file's folder is resolved and must be inside the root. */
  async #place(path: string, makeFolder: boolean): Promise<string> {
    const root = await realpath(this.root);
    const place = join(root, path);
    if (makeFolder) await this.#makeFolders(root, dirname(path));
    const folder = await realpath(dirname(place)).catch(() => undefined);
    if (!folder) throw notFound(path);
    if (folder !== root && !folder.startsWith(root + sep)) throw outside(path);
    return place;
  }

  /** Where this server is root, the folder may belong to the user that its context's code runs as. */
  async #giveToOwner(handle: FileHandle): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = await stat(this.root);
    await handle.chown(uid, gid);
  }

  /** Code that runs meanwhile could put a link in the folder's place: what was opened is given away, if it is the one. */
  async #giveFolderToOwner(folder: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    await using handle = await open(folder, flags);
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) === folder) await this.#giveToOwner(handle);
  }

  /** One level at a time, so that a link on the way is noticed before anything is made behind it. */
  async #makeFolders(root: string, path: string): Promise<void> {
    let folder = root;
    for (const segment of path === "." ? [] : path.split("/")) {
      folder = join(folder, segment);
      const made = await mkdir(folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw new SandboxError("invalid_name", `${path} can't be a folder.`);
          return false;
        },
      );
      if (made) await this.#giveFolderToOwner(folder);
      const real = await realpath(folder).catch(() => undefined);
      if (real !== folder) throw outside(path);
      if (!(await stat(folder)).isDirectory()) throw new SandboxError("invalid_name", `${path} is a file.`);
    }
  }
}

/** The decoded segments of a file's path, joined when each is a plain name. */
function checkName(segments: string[]): string {
  for (const segment of segments) {
    const bad = segment === "" || segment === "." || segment === ".." || /[/\\\0]/.test(segment);
    if (bad || Buffer.byteLength(segment) > MAXIMUM_NAME) {
      throw new SandboxError(
        "invalid_name",
        `${JSON.stringify(segments.join("/"))} is no name of a file here.`,
      );
    }
  }
  if (segments.length === 0 || segments.length > 32) {
    throw new SandboxError("invalid_name", "A file needs a name, in at most 32 parts.");
  }
  return segments.join("/");
}

function limited(hash: ReturnType<typeof createHash>): Transform {
  let size = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      hash.update(piece);
      if (size > MAXIMUM_FILE)
        done(new SandboxError("too_large", `A file has at most ${MAXIMUM_FILE} bytes.`));
      else done(null, piece);
    },
  });
}

const notFound = (path: string) => new SandboxError("file_not_found", `There is no file ${path}.`);
const outside = (path: string) =>
  new SandboxError("invalid_name", `${path} leads out of the working folder.`);

import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import type { Upload } from "./api-client.ts";
import { UsageError } from "./arguments.ts";

/** Reads a file that is to go with a message; a UsageError says why one can't. */
export async function readUpload(path: string, folder: string): Promise<Upload> {
  const full = resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
  const facts = await stat(full).catch(() => undefined);
  if (!facts) throw new UsageError(`There is no file ${path}.`);
  if (!facts.isFile()) throw new UsageError(`${path} is no file.`);
  try {
    return { name: basename(full), content: await readFile(full) };
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

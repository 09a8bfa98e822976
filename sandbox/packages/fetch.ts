import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PackagesError, type LockedPackage } from "./lock.ts";

const TRIES = 4;
const PAUSE_MS = 500;
/** Nothing came for so long. */
const SILENCE_MS = 30_000;

export interface FetchOptions {
  packages: LockedPackage[];
  /** Where all the files lie, with a slash at its end. */
  url: string;
  folder: string;
  onLine?: (line: string) => void;
  pauseMs?: number;
}

/**
 * Has every package's file in the folder. What is there and has the right checksum stays, what was begun goes on where it
 * ended, and nothing with another checksum is kept. @throws PackagesError that says what can't be had and why
 */
export async function fetchPackages(options: FetchOptions): Promise<{ fetched: number; bytes: number }> {
  const { packages, folder, onLine = () => {} } = options;
  await mkdir(folder, { recursive: true });
  let fetched = 0;
  let bytes = 0;
  for (const [index, wanted] of packages.entries()) {
    const count = `${index + 1}/${packages.length}`;
    const path = join(folder, wanted.file_name);
    if ((await checksumOf(path)) === wanted.sha256) {
      onLine(`${count} ${wanted.file_name} is there`);
      continue;
    }
    const size = await fetchOne(wanted, path, options);
    onLine(`${count} ${wanted.file_name} ${(size / 1e6).toFixed(1)} MB`);
    fetched += 1;
    bytes += size;
  }
  return { fetched, bytes };
}

async function fetchOne(wanted: LockedPackage, path: string, options: FetchOptions): Promise<number> {
  const part = `${path}.part`;
  const where = new URL(wanted.file_name, options.url).href;
  let reason = "";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await sleep((options.pauseMs ?? PAUSE_MS) * 2 ** attempt);
    const outcome = await download(where, part);
    if (outcome.refused) throw new PackagesError(`${where} can't be had: ${outcome.refused}.`);
    if (outcome.broken) {
      reason = outcome.broken;
      continue;
    }
    if ((await checksumOf(part)) === wanted.sha256) {
      await rename(part, path);
      return (await stat(path)).size;
    }
    await rm(part, { force: true });
    reason = "what came has another checksum than Pyodide's lock file says";
  }
  throw new PackagesError(`${where} can't be had: ${reason}. Tried ${TRIES} times.`);
}

/** Adds to what was begun, or begins. `refused` stays so when it is asked again, `broken` may not. */
async function download(url: string, part: string): Promise<{ refused?: string; broken?: string }> {
  const begun = (await stat(part).catch(() => undefined))?.size ?? 0;
  const silence = new AbortController();
  const stop = () => silence.abort(new Error(`nothing came for ${SILENCE_MS / 1000} seconds`));
  let timer = setTimeout(stop, SILENCE_MS);
  try {
    const headers = begun > 0 ? { range: `bytes=${begun}-` } : {};
    const response = await fetch(url, { headers, signal: silence.signal });
    // All of it is there already, or it has become shorter: the checksum tells.
    if (response.status === 416) return {};
    if (!response.ok || !response.body) {
      const answer = `the server answered ${response.status}`;
      return response.status >= 500 || response.status === 429 ? { broken: answer } : { refused: answer };
    }
    const goesOn = response.status === 206;
    const source = Readable.fromWeb(response.body).on("data", () => {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
    });
    await pipeline(source, createWriteStream(part, { flags: goesOn ? "a" : "w" }));
    return {};
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return { broken: cause?.message ? `${message} (${cause.message})` : message };
  } finally {
    clearTimeout(timer);
  }
}

async function checksumOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch {
    return undefined; // it isn't there
  }
  return hash.digest("hex");
}

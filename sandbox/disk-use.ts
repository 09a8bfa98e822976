import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface DiskLimits {
  megabytes: number;
  files: number;
}

export interface DiskUse {
  bytes: number;
  files: number;
}

const MEBIBYTE = 1024 * 1024;
const WATCH_MS = 1000;
/** A walk takes at most this part of the time, however many files there are. */
const SHARE = 10;
const BLOCK = 512;

/** What a folder holds. Stops counting where there are too many files: a cell can make them faster than they are read. */
export async function measureFolder(folder: string, { files: maximum }: DiskLimits): Promise<DiskUse> {
  const use = { bytes: 0, files: 0 };
  const waiting = [folder];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    const entries = await readdir(inside, { withFileTypes: true }).catch(() => []);
    use.files += entries.length;
    if (use.files > maximum) return use;
    for (const entry of entries) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      const status = await lstat(path).catch(() => undefined);
      // A file with holes counts as what it would be in a copy, one with reserved room as what it takes.
      if (status) use.bytes += Math.max(status.size, status.blocks * BLOCK);
    }
  }
  return use;
}

export const exceeds = (use: DiskUse, { megabytes, files }: DiskLimits): boolean =>
  use.bytes > megabytes * MEBIBYTE || use.files > files;

/** Beyond this there is no waiting for a soft end. */
export const doubled = ({ megabytes, files }: DiskLimits): DiskLimits => ({
  megabytes: megabytes * 2,
  files: files * 2,
});

/** For whoever wrote the code. */
export function describeExcess(use: DiskUse, { megabytes, files }: DiskLimits): string {
  const used = `${Math.ceil(use.bytes / MEBIBYTE)} MB in ${use.files > files ? `more than ${files}` : use.files} files`;
  return `The working folder holds ${used}; ${megabytes} MB and ${files} files are allowed. Delete what isn't needed.`;
}

export interface DiskWatch {
  /** The last look, after which there is none. What was too much, now or in between; undefined when nothing was. */
  end(): Promise<DiskUse | undefined>;
}

/** Looks at a folder about once a second. Calls `onExcess` once, and `onFlood` when it is twice what is allowed. */
export function watchDisk(options: {
  folder: string;
  limits: DiskLimits;
  onExcess: () => void;
  onFlood: () => void;
}): DiskWatch {
  const { folder, limits, onExcess, onFlood } = options;
  const twice = doubled(limits);
  let excess: DiskUse | undefined;
  let ended = false;
  let timer = setTimeout(() => void look(), WATCH_MS);

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const use = await measureFolder(folder, twice);
    if (ended) return;
    if (exceeds(use, limits)) {
      if (!excess) onExcess();
      excess = use;
    }
    if (exceeds(use, twice)) onFlood();
    timer = setTimeout(() => void look(), Math.max(WATCH_MS, SHARE * (performance.now() - startedAt)));
  }

  return {
    async end() {
      ended = true;
      clearTimeout(timer);
      const use = await measureFolder(folder, limits);
      return exceeds(use, limits) ? use : excess;
    },
  };
}

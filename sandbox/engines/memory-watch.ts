import { readdir, readFile, stat } from "node:fs/promises";

const WATCH_MS = 1000;
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const BLOCK = 512;

/**
 * The limits of a process say nothing of how much several have together, nor of memory in files without a name, nor of
 * what JavaScript takes beside WebAssembly's. So it is added up about once a second, where there is a /proc. Only a cgroup
 * around the server is exact; returns how to stop.
 */
export function watchMemory(root: number | undefined, limitMb: number, onExcess: () => void): () => void {
  let stopped = false;
  let timer = setTimeout(() => void look(), WATCH_MS);

  async function look(): Promise<void> {
    const used = root === undefined ? 0 : await memoryBelow(root);
    if (stopped) return;
    if (used > limitMb * MEBIBYTE) onExcess();
    timer = setTimeout(() => void look(), WATCH_MS);
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

async function memoryBelow(root: number): Promise<number> {
  const files = new Map<string, number>();
  let total = 0;
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    for (const [, size] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm))
      total += Number(size) * KIBIBYTE;
    waiting.push(...(await childrenOf(pid)));
    await addNamelessFiles(pid, files);
  }
  for (const size of files.values()) total += size;
  return total;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""),
  );
  return (await Promise.all(lists)).flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Open files that no folder shows any more, and those that never had a name; each once, whoever has it open. */
async function addNamelessFiles(pid: number, files: Map<string, number>): Promise<void> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const descriptor of descriptors) {
    const status = await stat(`/proc/${pid}/fd/${descriptor}`).catch(() => undefined);
    if (status?.isFile() && status.nlink === 0)
      files.set(`${status.dev}:${status.ino}`, status.blocks * BLOCK);
  }
}

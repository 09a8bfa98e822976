import { execFileSync } from "node:child_process";

interface Process {
  pid: number;
  parent: number;
  isZombie: boolean;
}

function processes(): Process[] {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" });
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state]) => ({
      pid: Number(pid),
      parent: Number(parent),
      isZombie: state!.startsWith("Z"),
    }));
}

/** The process and all that descends from it. */
export function processTree(root: number): number[] {
  const all = processes();
  const found = [root];
  for (const pid of found)
    found.push(...all.filter(({ parent }) => parent === pid).map((child) => child.pid));
  return found;
}

/** Which of these still run; one that has ended and only waits to be counted doesn't. */
export function stillRunning(pids: number[]): number[] {
  const running = new Set(processes().flatMap(({ pid, isZombie }) => (isZombie ? [] : [pid])));
  return pids.filter((pid) => running.has(pid));
}

export async function until<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  ms = 30_000,
): Promise<Value> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`In ${ms} ms it did not come to this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

import { execFileSync, spawn } from "node:child_process";

// Runs wrangler with the arguments given, and ends it with all that it started when standard input closes or a signal
// comes. Wrangler itself wouldn't notice that its launcher was killed, and its runtime would stay behind.

const GRACE_MS = 4000;
const wrangler = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
let ending = false;

function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const line of execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (const queue = [root]; queue.length > 0;) {
    const own = children.get(queue.pop()!) ?? [];
    found.push(...own);
    queue.push(...own);
  }
  return found;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself meanwhile.
  }
}

function end(): void {
  if (ending) return;
  ending = true;
  const tree = wrangler.pid === undefined ? [] : [wrangler.pid, ...descendants(wrangler.pid)];
  kill(wrangler.pid!, "SIGTERM");
  const timer = setTimeout(() => tree.forEach((pid) => kill(pid, "SIGKILL")), GRACE_MS);
  wrangler.once("exit", () => {
    clearTimeout(timer);
    // What wrangler left behind.
    tree.slice(1).forEach((pid) => kill(pid, "SIGKILL"));
    process.exit(0);
  });
}

process.stdin.resume();
process.stdin.once("end", end);
process.stdin.once("error", end);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
wrangler.once("exit", (code) => {
  if (!ending) process.exit(code ?? 1);
});

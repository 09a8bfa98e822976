import { execFileSync } from "node:child_process";

const PARENT_CHECK_MS = 500;

/**
 * Resolves when this process is to end: by a signal, or because the npm that started it is gone (killed, it can't pass
 * the signal on).
 */
export function whenToldToStop(): Promise<"stop"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve("stop"));
    if (process.env.npm_lifecycle_event === undefined) return;
    const starters = findStarters();
    const check = setInterval(() => {
      if (starters.every(isRunning)) return;
      clearInterval(check);
      resolve("stop");
    }, PARENT_CHECK_MS);
    check.unref();
  });
}

/** The processes between npm and this one: npm itself, and the shell that it may have put between. */
function findStarters(): number[] {
  const starters: number[] = [];
  for (let pid = process.ppid; pid > 1 && starters.length < 2;) {
    starters.push(pid);
    const shown = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
    const [parent = "", command = ""] = shown.trim().split(/\s+/);
    if (!/^(ba|da|z|a)?sh$/.test(command)) break;
    pid = Number(parent);
  }
  return starters;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

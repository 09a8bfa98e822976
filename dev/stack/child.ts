import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { StackError } from "./settings.ts";

export interface Child {
  name: string;
  pid: number | undefined;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>;
  /** The last lines that it said, for when it dies. */
  lastLines(): string[];
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 6000;

/**
 * Starts one of the stack's processes. Its standard input is its leash: it ends itself when that closes, so that it
 * doesn't outlive a launcher that was killed. Resolves once `isReady` accepts a line or itself resolves.
 */
export async function startChild(options: {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** Hears what it says once it is ready. */
  onLine: (line: string) => void;
  /** The ready line, or a check that resolves when the process answers. */
  ready: { line: RegExp } | { answers: (signal: AbortSignal) => Promise<void> };
}): Promise<Child & { readyLine: string }> {
  const spawned = spawn(process.execPath, options.args, {
    env: options.env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A process that is gone can't be written to; that its leash is cut is no news then.
  spawned.stdin.on("error", () => {});
  const lines: string[] = [];
  let hear: (line: string) => void = () => {};
  for (const stream of [spawned.stdout, spawned.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > 20) lines.shift();
      hear(line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    spawned.once("exit", () => resolve());
    spawned.once("error", () => resolve());
  });
  const child: Child = {
    name: options.name,
    pid: spawned.pid,
    ended,
    lastLines: () => lines,
    stop: () => stop(spawned, ended),
  };

  const abort = new AbortController();
  const { ready } = options;
  const readyLine = await Promise.race([
    "answers" in ready
      ? ready.answers(abort.signal).then(() => "")
      : new Promise<string>((resolve) => (hear = (line) => ready.line.test(line) && resolve(line))),
    ended.then(() => undefined),
  ]);
  abort.abort();
  if (readyLine === undefined) throw new StackError(describeEnd(child));
  hear = options.onLine;
  return { ...child, readyLine };
}

export function describeEnd(child: Child): string {
  const said = child
    .lastLines()
    .map((line) => `  ${line}`)
    .join("\n");
  return `The ${child.name} ended by itself.${said ? ` The last it said:\n${said}` : ""}`;
}

async function stop(spawned: ChildProcess, ended: Promise<void>): Promise<void> {
  spawned.stdin?.end();
  spawned.kill("SIGTERM");
  const timer = setTimeout(() => spawned.kill("SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
}

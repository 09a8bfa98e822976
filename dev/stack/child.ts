import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { StackError } from "./settings.ts";

export interface Child {
  name: string;
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
  onLine: (line: string) => void;
  /** The ready line, or a check that resolves when the process answers. */
  ready: { line: RegExp } | { answers: (signal: AbortSignal) => Promise<void> };
}): Promise<Child & { readyLine: string }> {
  const process_ = spawn(process.execPath, options.args, {
    env: options.env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A process that is gone can't be written to; that its leash is cut is no news then.
  process_.stdin.on("error", () => {});
  const lines: string[] = [];
  const waiters = new Set<(line: string) => void>();
  for (const stream of [process_.stdout, process_.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > 20) lines.shift();
      for (const waiter of waiters) waiter(line);
      options.onLine(line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    process_.once("exit", () => resolve());
    process_.once("error", () => resolve());
  });
  const child: Child = {
    name: options.name,
    ended,
    lastLines: () => lines,
    stop: () => stop(process_, ended),
  };

  const abort = new AbortController();
  const ready =
    "answers" in options.ready
      ? options.ready.answers(abort.signal).then(() => "")
      : new Promise<string>((resolve) => {
          const { line: pattern } = options.ready as { line: RegExp };
          waiters.add((line) => pattern.test(line) && resolve(line));
        });
  const readyLine = await Promise.race([ready, ended.then(() => undefined)]);
  abort.abort();
  waiters.clear();
  if (readyLine === undefined) throw new StackError(describeEnd(child));
  return { ...child, readyLine };
}

export function describeEnd(child: Child): string {
  const said = child
    .lastLines()
    .map((line) => `  ${line}`)
    .join("\n");
  return `The ${child.name} ended by itself.${said ? ` The last it said:\n${said}` : ""}`;
}

async function stop(process_: ChildProcess, ended: Promise<void>): Promise<void> {
  process_.stdin?.end();
  process_.kill("SIGTERM");
  const timer = setTimeout(() => process_.kill("SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
}

import type { ChildProcess } from "node:child_process";
import type { Reaper } from "../reaper.ts";

const MAXIMUM_LINE = 32 * 1024 * 1024;
const START_LIMIT_MS = 30_000;

/** An engine's process as a pair of message queues. What comes out of it is the word of whoever wrote the Python. */
export interface EngineProcess {
  readonly alive: boolean;
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** What it last wrote to stderr, for the server's own log. */
  readonly complaint: string;
  onMessage: (message: Record<string, unknown>, size: number) => void;
  send(message: Record<string, unknown>): void;
  /** Asks the running code to stop; only the interpreter's main loop notices. */
  interrupt(): void;
  kill(): void;
}

export interface EngineProcessOptions {
  /** Reads commands, a JSON line each, from its stdin and writes messages likewise to its stdout, `ready` first. */
  child: ChildProcess;
  reaper: Reaper;
  interrupt: (self: EngineProcess) => void;
  kill?: () => void;
  onEnd?: () => void;
}

export function createEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { child, reaper, kill = () => void child.kill("SIGKILL") } = options;
  reaper.watch(child);
  // A child that has just died closes its stdin; its exit is what counts.
  child.stdin?.on("error", () => {});

  let alive = true;
  let complaint = "";
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // told to whoever waits for it, if anyone does

  const end = (): void => {
    if (!alive) return;
    alive = false;
    clearTimeout(startLimit);
    options.onEnd?.();
    ready.reject(new Error(`The Python engine ended while starting: ${complaint || "no message"}`));
    exited.resolve();
  };
  const startLimit = setTimeout(kill, START_LIMIT_MS);
  child.once("error", (error) => {
    complaint ||= error.message;
    end();
  });
  child.once("close", end);
  child.stderr?.on("data", (data) => (complaint = (complaint + data).slice(-2000)));

  const self: EngineProcess = {
    get alive() {
      return alive && child.exitCode === null && child.signalCode === null;
    },
    get complaint() {
      return complaint;
    },
    ready: ready.promise,
    exited: exited.promise,
    onMessage: () => {},
    send: (message) => void child.stdin?.write(`${JSON.stringify(message)}\n`),
    interrupt() {
      if (alive) options.interrupt(self);
    },
    kill,
  };

  readLines(child.stdout, kill, (line) => {
    const message = parseMessage(line);
    if (!message) return kill();
    if (message["type"] === "ready") {
      clearTimeout(startLimit);
      ready.resolve();
    } else self.onMessage(message, line.length);
  });
  return self;
}

function readLines(
  stream: NodeJS.ReadableStream | null,
  giveUp: () => void,
  take: (line: string) => void,
): void {
  let pieces: Buffer[] = [];
  let size = 0;
  stream?.on("data", (data: Buffer) => {
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      const line = Buffer.concat([...pieces, data.subarray(start, end)]).toString();
      pieces = [];
      size = 0;
      start = end + 1;
      take(line);
    }
    pieces.push(data.subarray(start));
    size += data.length - start;
    if (size > MAXIMUM_LINE) {
      pieces = [];
      giveUp();
    }
  });
}

function parseMessage(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null && !Array.isArray(message)
      ? (message as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // Python can write anything to its device; what isn't a message ends the process
  }
}

import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Reaper } from "../../reaper.ts";
import { launchLocked } from "./launch.ts";

const MAXIMUM_LINE = 32 * 1024 * 1024;
const START_LIMIT_MS = 30_000;
const MEMORY_MB = 256;

/** The engine's process as a pair of message queues. What comes out of it is the word of whoever wrote the Python. */
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
  /** Where the process writes its memory when it is told to; the file goes when the process does. */
  readonly memoryFile: string;
}

export interface StartOptions {
  snapshot: string;
  link: string;
  space: string;
  reaper: Reaper;
}

export async function startProcess({ snapshot, link, space, reaper }: StartOptions): Promise<EngineProcess> {
  // The interrupt file: this side writes its one byte, the child can only read, and no path leads to it any more.
  const interruptPath = join(space, "interrupt");
  writeFileSync(interruptPath, "\0", { mode: 0o600 });
  const ours = openSync(interruptPath, "r+");
  const theirs = openSync(interruptPath, "r");
  await rm(interruptPath);

  const memoryFile = join(space, "memory");
  const memory = openSync(memoryFile, "wx", 0o600);

  const child = launchLocked({
    read: [snapshot, link, join(link, "*")],
    write: [join(link, "*")],
    extraFds: [theirs, memory],
    options: { snapshot, memory_mb: MEMORY_MB },
  });
  closeSync(theirs);
  closeSync(memory);
  reaper.watch(child);

  let alive = true;
  let interrupts = 0;
  let complaint = "";
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // told to whoever waits for it, if anyone does

  const end = (): void => {
    if (!alive) return;
    alive = false;
    clearTimeout(startLimit);
    closeSync(ours);
    ready.reject(new Error(`The Python engine ended while starting: ${complaint || "no message"}`));
    exited.resolve();
  };
  const kill = (): void => void child.kill("SIGKILL");
  const startLimit = setTimeout(kill, START_LIMIT_MS);
  child.once("error", end);
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
      if (!alive) return;
      interrupts = (interrupts + 1) % 256;
      writeSync(ours, Buffer.of(interrupts), 0, 1, 0);
    },
    kill,
    memoryFile,
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

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ContextInfo, ContextRequest, ExecutionEvent } from "../../sandbox/protocol.ts";
import type { EngineName } from "./engines.ts";

const root = join(import.meta.dirname, "../..");
const entry = join(root, "dev/sandbox.ts");
/** Building the snapshot takes seconds; servers of one test run share it. Its name says whether it still fits. */
const snapshotCache = join(root, ".wrangler/test-snapshots");
export const TOKEN = "test-token";
/** Where the tests look for programs, the server does too. */
const programs = Object.fromEntries(
  ["SANDBOX_BWRAP", "SANDBOX_PYTHON"].flatMap((name) =>
    process.env[name] ? [[name, process.env[name]]] : [],
  ),
);

export interface SandboxOptions {
  /** The default engine; the server's own default when left out. */
  engine?: EngineName;
  stateDir?: string;
  env?: Record<string, string>;
  stdin?: "ignore" | "pipe";
}

export interface Sandbox extends AsyncDisposable {
  url: string;
  stateDir: string;
  process: ChildProcess;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** PUTs a context of a new name, or of the given one. */
  context(request?: ContextRequest & { id?: string }): Promise<TestContext>;
  /** Ends the server with a signal and keeps its state; start another with the same `stateDir`. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A server as a user starts it: its own process, port and state. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), "sandbox-test-")));
  const snapshots = join(stateDir, "sandbox/pyodide/snapshots");
  await copySnapshots(snapshotCache, snapshots);
  const engine: Record<string, string> = options.engine ? { SANDBOX_ENGINE: options.engine } : {};
  const child = spawnServer({ STATE_DIR: stateDir, ...engine, ...options.env }, options.stdin ?? "ignore");
  const url = await readyUrl(child);
  await copySnapshots(snapshots, snapshotCache);

  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } });
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  };
  return {
    url,
    stateDir,
    process: child,
    request,
    stop,
    async context({ id = randomUUID(), ...body } = {}) {
      const response = await request(`/v1/contexts/${id}`, { method: "PUT", body: JSON.stringify(body) });
      const info = (await response.json()) as ContextInfo;
      if (!response.ok) throw new Error(JSON.stringify(info));
      return createTestContext(request, id, info);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

export function spawnServer(env: Record<string, string>, stdin: "ignore" | "pipe" = "ignore"): ChildProcess {
  return spawn(process.execPath, [entry], {
    env: {
      ...programs,
      SANDBOX_PORT: "0",
      SANDBOX_TOKEN: TOKEN,
      SANDBOX_GRACE_MS: "700",
      HOST_SECRET: "s3cr3t",
      ...env,
    },
    stdio: [stdin, "pipe", "pipe"],
  });
}

export async function readyUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return await new Promise((resolve, reject) => {
    const look = (data: Buffer) => {
      output += data;
      const [, url] = /^sandbox ready (\S+)$/m.exec(output) ?? [];
      if (url) resolve(url);
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The sandbox ended with ${code}: ${output}`)));
  });
}

export type TestContext = ReturnType<typeof createTestContext>;

/** One context as a client sees it. */
function createTestContext(request: Sandbox["request"], id: string, info: ContextInfo) {
  const path = `/v1/contexts/${id}`;
  const start = (code: string, options: Record<string, unknown> = {}) =>
    request(`${path}/executions`, {
      method: "POST",
      body: JSON.stringify({ execution_id: randomUUID(), code, timeout_ms: 20_000, ...options }),
    });
  return {
    id,
    path,
    info,
    start,
    /** Runs a cell to its end. */
    async run(code: string, options: Record<string, unknown> = {}) {
      const response = await start(code, options);
      if (!response.ok) throw new Error(await response.text());
      return outcomeOf(await readEvents(response));
    },
    async status() {
      return (await (await request(path)).json()) as ContextInfo;
    },
    async put(body: ContextRequest) {
      const response = await request(path, { method: "PUT", body: JSON.stringify(body) });
      return { status: response.status, info: (await response.json()) as ContextInfo };
    },
    post: (action: string) => request(`${path}/${action}`, { method: "POST" }),
    file: (name: string, init?: RequestInit) => request(`${path}/files/${name}`, init),
    [Symbol.asyncDispose]: async () => void (await request(path, { method: "DELETE" })),
  };
}

export async function readEvents(response: Response): Promise<ExecutionEvent[]> {
  return (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ExecutionEvent);
}

type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;

export function outcomeOf(events: ExecutionEvent[]) {
  const all = <Type extends ExecutionEvent["type"]>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return {
    events,
    all,
    stdout: all("stdout")
      .map(({ text }) => text)
      .join(""),
    stderr: all("stderr")
      .map(({ text }) => text)
      .join(""),
    result: all("result")[0]?.text,
    error: all("error")[0],
    artifacts: all("artifact"),
    done: all("done")[0],
    lost: all("lost")[0],
  };
}

/** The events of a running stream as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<ExecutionEvent> {
  let text = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ExecutionEvent;
  }
}

/** All living processes below `pid`, with their command lines. */
export async function descendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const status = /^\d+$/.test(name) && (await readFile(`/proc/${name}/stat`, "utf8").catch(() => ""));
    if (!status) continue;
    const [state, parent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (state !== "Z") parents.set(Number(name), Number(parent));
  }
  const found = [pid];
  for (const ancestor of found) {
    for (const [child, parent] of parents) if (parent === ancestor) found.push(child);
  }
  return found.slice(1);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs = 8000,
): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    if (await condition()) return true;
    await sleep(25);
  }
  return false;
}

async function copySnapshots(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  const present = new Set(await readdir(to).catch(() => []));
  await mkdir(to, { recursive: true });
  const missing = names.filter((file) => file.endsWith(".snapshot") && !present.has(file));
  for (const name of missing) {
    const unfinished = join(to, `${name}.${randomUUID()}`);
    await copyFile(join(from, name), unfinished);
    await rename(unfinished, join(to, name));
  }
}

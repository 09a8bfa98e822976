import { sha256Hex } from "../lib/digest.ts";
import { parseExecutionEvent } from "./event-wire.ts";
import type { KernelHost } from "./kernel-host.ts";
import { openProgram, removeProgram, runProgram } from "./kernel-programs.ts";
import { createKernelStore, type StoredEvent } from "./kernel-store.ts";
import { createMessageQueue } from "./message-queue.ts";
import {
  ContextLostError,
  SandboxUnreachableError,
  type ContextInfo,
  type Execution,
  type ExecutionEvent,
  type Sandbox,
} from "./sandbox.ts";

const GRACE_MS = 5000;
const START_MS = 15_000;
const INSIST_MS = 500;
const LOOK_MS = 200;
const IDLE_LOOKS = 10;
const OPEN_TRIES = 3;
const REMOVE_MS = 3000;
const SETTLE_TRIES = 5;
const SETTLE_MS = 60;

/**
 * A sandbox of kernels that know nothing of us. Our own Python goes into each and does there what the reference server's
 * engines do; it keeps what executions say in files, by which they are told again, never run again, and followed when the
 * connection broke.
 */
export function createKernelSandbox(host: KernelHost, { graceMs = GRACE_MS } = {}): Sandbox {
  const names = new Map<string, Promise<string>>();
  const nameOf = (contextId: string) => {
    const name = names.get(contextId) ?? makeName(contextId);
    names.set(contextId, name);
    return name;
  };
  const storeOf = (name: string) => `${name}.taskweaver`;
  /** As the kernel sees it from its folder. */
  const storePath = (name: string) => `../${storeOf(name)}`;

  const storeFor = (name: string) => createKernelStore(host, storeOf(name));

  /** What runs leaves a mark, which outlives a kernel that dies; what the host knows of its kernels comes late. */
  async function staysBusy(name: string): Promise<boolean> {
    let busy = false;
    for (let tries = 0; tries < SETTLE_TRIES; tries++) {
      if ((await storeFor(name).running()) === undefined) return false;
      busy = (await host.isBusy?.(name)) ?? true;
      await pause(SETTLE_MS);
    }
    return busy;
  }

  async function open(contextId: string, spec: Parameters<Sandbox["open"]>[1]): Promise<ContextInfo> {
    const name = await nameOf(contextId);
    await host.ensure(name);
    if (await staysBusy(name)) {
      // Code of an earlier runner still runs: it is attached to with what it was started with.
      const generation = await storeFor(name).generation();
      if (generation !== undefined) return { generation, created: false, plugins: [] };
    }
    const opened: ContextInfo[] = [];
    const { plugins, variables } = spec;
    // By this the kernel knows a program that arrives twice.
    const request = { opening: crypto.randomUUID(), context_id: contextId, plugins, variables };
    let outcome: string | undefined;
    // A kernel that has died may be told of once more while another one takes its place.
    for (let tries = 0; tries < OPEN_TRIES && (tries === 0 || outcome === "died"); tries++) {
      if (tries > 0) await host.ensure(name);
      outcome = await host.run(name, openProgram(storePath(name), request), (event) => {
        const told = event as { type: string } & ContextInfo;
        if (told.type !== "opened") return;
        opened.push({ generation: told.generation, created: told.created, plugins: told.plugins });
      });
      if (opened[0]) return opened[0];
    }
    throw new SandboxUnreachableError(
      `The kernel at ${host.where} could not be prepared (${outcome}). It must be Python 3.9 or newer with IPython.`,
    );
  }

  async function* execute(contextId: string, execution: Execution): AsyncGenerator<ExecutionEvent> {
    const { executionId, code, timeoutMs, generation, signal } = execution;
    const name = await nameOf(contextId);
    const store = storeFor(name);
    const answering = new Set<string>();
    let next = 1;
    let ended = false;

    async function answerCall(call: Parameters<NonNullable<Execution["onCall"]>>[0]): Promise<void> {
      const none = { error: { name: "EdgePluginError", message: "there are no such plugins here" } };
      const answer = (await execution.onCall?.(call)) ?? none;
      await store.answer(executionId, call.callId, answer).catch((error: unknown) => {
        console.error(`The answer to ${call.name} did not reach the kernel:`, error);
      });
    }

    /** Each event once and in order, wherever it was found. */
    function* tell(events: StoredEvent[]): Generator<ExecutionEvent> {
      const isOver = events.some(({ type }) => type === "done" || type === "lost");
      const answered = events.filter(({ type }) => type === "answered").map((event) => event["call_id"]);
      for (const stored of events) {
        if (stored.seq !== next) continue;
        next += 1;
        const { event, call } = parseExecutionEvent(stored) ?? {};
        if (call && !isOver && !answered.includes(call.callId) && !answering.has(call.callId)) {
          answering.add(call.callId);
          void answerCall(call);
        }
        if (!event) continue;
        yield event;
        ended ||= event.type === "done" || event.type === "lost";
      }
    }

    async function* lose(reason: string): AsyncGenerator<ExecutionEvent> {
      yield* tell([{ ...(await store.addLost(executionId, reason)), seq: next }]);
    }

    /** First it is put down as lost: what it may still say in its last moments is for nobody. */
    async function* kill(): AsyncGenerator<ExecutionEvent> {
      const lost = await store.addLost(executionId, "killed");
      await host.restart(name);
      yield* tell([{ ...lost, seq: next }]);
    }

    /** What an execution says that was begun elsewhere, until it ends or nothing runs any more. */
    async function* follow(): AsyncGenerator<ExecutionEvent> {
      const own = await store.nameOf(executionId);
      const end = Date.now() + timeoutMs + graceMs + START_MS;
      for (let idle = 0; idle < IDLE_LOOKS && !ended;) {
        signal?.throwIfAborted();
        const busy = (await store.running()) === own && ((await host.isBusy?.(name)) ?? true);
        yield* tell((await store.events(executionId)) ?? []);
        idle = busy ? 0 : idle + 1;
        if (ended) return;
        if (Date.now() > end) return void (yield* kill());
        await pause(LOOK_MS);
      }
      if (!ended) yield* lose("crashed");
    }

    if (await store.events(executionId)) return void (yield* follow());
    const queue = createMessageQueue<StoredEvent | { outcome: "ended" | "died" | "cut" | "killed" }>();
    const abort = () => queue.fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const request = { execution_id: executionId, code, timeout_ms: timeoutMs, generation };
    const run = runProgram(storePath(name), request);
    // The deadline is kept in the kernel; only code that doesn't heed it is ended from here.
    const watchdog = (started: boolean) =>
      setTimeout(() => queue.push({ outcome: "killed" }), timeoutMs + graceMs + (started ? 0 : START_MS));
    let timer = watchdog(false);
    const running = host
      .run(name, run, (event) => queue.push(event as StoredEvent))
      .then(
        (outcome) => queue.push({ outcome }),
        (error: unknown) => queue.fail(error),
      );
    try {
      for (;;) {
        const message = await queue.next();
        if ("outcome" in message) {
          if (message.outcome === "killed") return void (yield* kill());
          const stored = await store.events(executionId);
          // The kernel was gone already, or ended before it came to this.
          if (!stored && message.outcome !== "cut") throw new ContextLostError(contextId);
          yield* tell(stored ?? []);
          if (ended) return;
          yield* message.outcome === "cut" ? follow() : lose("crashed");
          return;
        }
        if (message.type === "context_lost") throw new ContextLostError(contextId);
        if (message.type === "known") return void (yield* follow());
        if (message.type === "started") {
          clearTimeout(timer);
          timer = watchdog(true);
        }
        // One that was too large to be shown, or that the server has dropped, is in the file.
        const isNext = message.seq === next && message.type !== "stored";
        yield* tell(isNext ? [message] : ((await store.events(executionId)) ?? []));
        // The kernel is free a moment after that; a connection that breaks in it harms nothing.
        if (ended) return void (await Promise.race([running, pause(SETTLE_MS * SETTLE_TRIES)]));
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    capabilities: async () => ({ shell: true }),
    open,
    execute,

    async interrupt(contextId) {
      const name = await nameOf(contextId);
      const store = storeFor(name);
      const running = await store.running();
      if (running === undefined) return;
      await store.interrupt(running);
      for (const end = Date.now() + graceMs; ;) {
        for (let waited = 0; waited < INSIST_MS; waited += 50) {
          if ((await store.running()) !== running) return;
          await pause(50);
        }
        if (Date.now() > end) break;
        await host.interrupt?.(name);
      }
      // The mark of a kernel that has died stays.
      if ((await host.isBusy?.(name)) ?? true) await host.restart(name);
    },

    async putFile(contextId, path, body, size) {
      await host.writeFile(`${await nameOf(contextId)}/${checkPath(path)}`, { body, size });
    },

    async getFile(contextId, path) {
      return host.readFile(`${await nameOf(contextId)}/${checkPath(path)}`);
    },

    async listFiles(contextId) {
      return host.listFiles(await nameOf(contextId));
    },

    async close(contextId) {
      const name = await nameOf(contextId);
      // A host may refuse to delete folders that hold something; the kernel can, if it is free.
      if (!(await staysBusy(name))) {
        await Promise.race([
          host.run(name, removeProgram(storePath(name)), () => {}),
          pause(REMOVE_MS),
        ]).catch(() => {});
      }
      await host.close(name);
      await host.remove(name);
      await host.remove(storeOf(name));
    },
  };
}

/** A folder's name that is nobody's else. */
async function makeName(contextId: string): Promise<string> {
  const isPlain = /^[A-Za-z0-9_-]{1,64}$/.test(contextId);
  return `tw-${isPlain ? contextId : (await sha256Hex(contextId)).slice(0, 40)}`;
}

function checkPath(path: string): string {
  const isInside = path
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\\"));
  if (isInside) return path;
  throw new SandboxUnreachableError(`"${path}" is not a path within the working folder.`);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Engine, InstalledPlugin, Interpreter } from "./engines/engine.ts";
import { SandboxError } from "./errors.ts";
import { Execution } from "./execution.ts";
import { ExecutionStore } from "./execution-store.ts";
import type {
  ContextInfo,
  ExecutionEvent,
  ExecutionEventBody,
  ExecutionRequest,
  LostReason,
  PluginReport,
} from "./protocol.ts";
import { WorkingFolder } from "./working-folder.ts";

export interface ContextOptions {
  id: string;
  engine: Engine;
  folder: { files: string; incoming: string; executions: string; memory: string };
  memoryMb: number;
  idleMs: number;
  /** Makes room for one more interpreter, or throws. */
  makeRoom: (context: Context) => void;
}

/** What a context should hold besides its variables; undefined means as it was. */
export interface Wanted {
  plugins?: InstalledPlugin[] | undefined;
  variables?: Record<string, string> | undefined;
  memoryMb?: number | undefined;
}

/**
 * One stateful Python, by name. It outlives its interpreter: files, plugins and session variables stay, and the next
 * execution starts a new interpreter. `generation` names the interpreter's memory; it changes at the moment when that
 * memory is lost, so an execution that counts on the old one is refused before anything runs.
 */
export class Context {
  readonly id: string;
  readonly files: WorkingFolder;
  readonly executions: ExecutionStore;
  readonly #options: ContextOptions;
  #wanted: { plugins: InstalledPlugin[]; variables: Record<string, string>; memoryMb: number };
  #generation = randomUUID();
  #interpreter: Interpreter | undefined;
  #plugins: PluginReport[] = [];
  #running: Execution | undefined;
  /** Whether the interpreter is being started or configured. */
  #changing = 0;
  #order: Promise<unknown> = Promise.resolve();
  #lastUse = Date.now();
  /** Whether the memory lies in a file, under the present generation. */
  #suspended = false;
  #resting = false;
  #deleted = false;
  #attached = false;

  constructor(options: ContextOptions) {
    this.#options = options;
    this.id = options.id;
    this.files = new WorkingFolder(options.folder.files, options.folder.incoming);
    this.executions = new ExecutionStore(options.folder.executions);
    this.#wanted = { plugins: [], variables: {}, memoryMb: options.memoryMb };
  }

  /** Whether it was PUT since the server started: before that its plugins and variables are unknown. */
  get attached(): boolean {
    return this.#attached;
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#changing > 0;
  }

  /** Whether it has a process, or will have one soon. */
  get running(): boolean {
    return !this.#resting && (this.#interpreter?.alive === true || this.#changing > 0);
  }

  get lastUse(): number {
    return this.#lastUse;
  }

  info(created = false): ContextInfo {
    const { engine, idleMs } = this.#options;
    const running = this.#running;
    return {
      id: this.id,
      generation: this.#generation,
      created,
      state: running ? "busy" : this.#interpreter?.alive ? "idle" : this.#suspended ? "suspended" : "ended",
      ...(running ? { execution_id: running.id } : {}),
      engine: engine.name,
      python: engine.python,
      caps: { stream: true, interrupt: true, reattach: true, files: true, suspend: true, network: "none" },
      plugins: this.#plugins,
      expires_at: new Date(this.#lastUse + idleMs).toISOString(),
    };
  }

  touch(): void {
    this.#lastUse = Date.now();
  }

  /** Starts an interpreter if there is none and brings it to what is wanted. Answers whether it made one. */
  async attach(wanted: Wanted): Promise<boolean> {
    this.touch();
    if (this.#running) {
      if (!this.#changes(wanted)) return false;
      throw this.#busyError(this.#running);
    }
    return await this.#exclusively(async () => {
      this.#attached = true;
      const changed = this.#changes(wanted);
      const { plugins = this.#wanted.plugins, variables = this.#wanted.variables } = wanted;
      const memoryMb = wanted.memoryMb ?? this.#wanted.memoryMb;
      this.#wanted = { plugins, variables, memoryMb };
      if (!this.#interpreter?.alive) {
        const resumed = this.#suspended;
        await this.#start();
        return !resumed;
      }
      if (changed) this.#plugins = await this.#interpreter.configure({ plugins, variables });
      return false;
    });
  }

  /** The execution's stream from here on: live, or stored. Undefined when this id was never seen. */
  find(executionId: string): Execution | ExecutionEvent[] | undefined {
    if (this.#running?.id === executionId) return this.#running;
    return this.executions.read(executionId);
  }

  /** Begins an execution, or finds the one that already has this id. */
  begin(request: ExecutionRequest): Execution | ExecutionEvent[] {
    this.touch();
    const known = this.find(request.execution_id);
    if (known) return known;
    if (request.generation !== undefined && request.generation !== this.#generation) {
      throw lostError(this.#generation);
    }
    if (this.#running) throw this.#busyError(this.#running);
    if (!this.#interpreter?.alive && this.#changing === 0) this.#options.makeRoom(this);

    const index = this.executions.count + 1;
    const execution = new Execution(request.execution_id, (event) => this.#keep(request.execution_id, event));
    // Known on disk before anything runs, or not run at all.
    execution.add({ type: "started", generation: this.#generation });
    this.#running = execution;
    void this.#run(execution, request, index);
    return execution;
  }

  interrupt(): void {
    this.#interpreter?.interrupt();
  }

  /** Keeps the memory on disk and ends the process; the generation stays. False when this memory can't be kept. */
  async suspend(): Promise<boolean> {
    if (this.#running) throw this.#busyError(this.#running);
    return await this.#exclusively(async () => {
      const interpreter = this.#interpreter;
      if (!interpreter?.alive) return this.#suspended;
      // Its process ends in this, which is no loss of memory.
      this.#interpreter = undefined;
      this.#suspended = await interpreter.suspend(this.#options.folder.memory);
      if (!this.#suspended) {
        this.#interpreter = interpreter;
        if (!interpreter.alive) this.#forget(interpreter);
      }
      return this.#suspended;
    });
  }

  /** Suspends, or ends what can't be suspended. */
  async rest(): Promise<void> {
    this.#resting = true;
    try {
      const suspended = await this.suspend();
      if (!suspended && !this.#running) await this.end("expired");
    } finally {
      this.#resting = false;
    }
  }

  /** An empty interpreter; files, plugins and session variables stay. */
  async reset(): Promise<void> {
    this.touch();
    await this.end("reset");
    await this.attach({});
  }

  /** Ends the interpreter, and with it the generation. */
  async end(reason: LostReason): Promise<void> {
    const interpreter = this.#interpreter;
    const running = this.#running;
    if (interpreter) {
      this.#forget(interpreter);
      interpreter.kill(reason);
      await interpreter.exited;
    } else if (this.#suspended) {
      await this.#discardMemory();
    }
    await running?.finished;
  }

  async delete(): Promise<void> {
    this.#deleted = true;
    await this.end("deleted");
    await this.#order.catch(() => {});
    await this.end("deleted");
  }

  async #run(execution: Execution, request: ExecutionRequest, index: number): Promise<void> {
    const startedAt = performance.now();
    const generation = this.#generation;
    const last = await this.#exclusively(async (): Promise<ExecutionEventBody> => {
      // The memory that `started` named may have gone while this waited for its turn.
      if (this.#generation !== generation) return { type: "lost", reason: "expired" };
      if (!this.#interpreter?.alive) await this.#start();
      const outcome = await this.#interpreter!.run({
        executionId: request.execution_id,
        index,
        code: request.code,
        timeoutMs: request.timeout_ms,
        onEvent: (event) => execution.add(event),
      });
      if (outcome.type === "lost") return outcome;
      if (outcome.error) execution.add(errorEvent(outcome.error, outcome.stopped, request.timeout_ms));
      return {
        type: "done",
        status: outcome.stopped ?? outcome.status,
        duration_ms: Math.round(performance.now() - startedAt),
        ...(outcome.truncated ? { truncated: true } : {}),
        files_changed: outcome.filesChanged,
        variables: outcome.variables,
      };
    }).catch((error: unknown): ExecutionEventBody => {
      console.error(`context ${this.id}:`, error);
      return { type: "lost", reason: "crashed" };
    });
    if (last.type === "lost") await this.#interpreter?.exited;
    this.touch();
    this.#running = undefined;
    execution.add(last);
    if (!this.#deleted) this.executions.prune();
  }

  async #start(): Promise<void> {
    if (this.#deleted) throw new SandboxError("context_not_found", "The context was deleted.");
    this.#options.makeRoom(this);
    const { engine, folder } = this.#options;
    const { plugins, variables, memoryMb } = this.#wanted;
    const memory = this.#suspended ? folder.memory : undefined;
    try {
      const interpreter = await engine.open({ contextId: this.id, folder: folder.files, memoryMb, memory });
      this.#interpreter = interpreter;
      void interpreter.exited.then(() => this.#forget(interpreter));
      this.#plugins = await interpreter.configure({ plugins, variables });
      this.#suspended = false;
      if (memory) await rm(memory, { force: true });
    } catch (error) {
      if (memory) await this.#discardMemory();
      throw new SandboxError("engine_failed", `The interpreter did not start: ${(error as Error).message}`);
    }
  }

  async #discardMemory(): Promise<void> {
    this.#suspended = false;
    this.#generation = randomUUID();
    await rm(this.#options.folder.memory, { force: true });
  }

  /** The memory is lost, so from here on the generation is another one. */
  #forget(interpreter: Interpreter): void {
    if (this.#interpreter !== interpreter) return;
    this.#interpreter = undefined;
    this.#generation = randomUUID();
  }

  /** One change of the interpreter at a time, in the order of the calls. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.#changing += 1;
    const turn = this.#order.catch(() => {}).then(work);
    this.#order = turn;
    try {
      return await turn;
    } finally {
      this.#changing -= 1;
    }
  }

  #changes({ plugins, variables }: Wanted): boolean {
    return (
      (plugins !== undefined && identity(plugins) !== identity(this.#wanted.plugins)) ||
      (variables !== undefined && JSON.stringify(variables) !== JSON.stringify(this.#wanted.variables))
    );
  }

  #keep(executionId: string, event: ExecutionEvent): void {
    if (this.#deleted) return;
    try {
      this.executions.append(executionId, event);
    } catch (error) {
      if (event.type === "started") throw error;
      // A full disk costs the replay, not the execution that is under way.
      console.error(`context ${this.id}: an event of ${executionId} could not be stored:`, error);
    }
  }

  #busyError({ id }: Execution): SandboxError {
    const facts = { execution_id: id, generation: this.#generation };
    return new SandboxError("context_busy", `The context is running ${id}.`, facts);
  }
}

const identity = (plugins: InstalledPlugin[]) =>
  JSON.stringify(plugins.map(({ name, hash }) => [name, hash]));

export const lostError = (generation?: string) =>
  new SandboxError("context_lost", "The variables of that generation are gone; files are kept.", {
    generation,
  });

function errorEvent(
  error: { name: string; message: string; traceback: string },
  stopped: "timeout" | "interrupted" | undefined,
  timeoutMs: number,
): ExecutionEventBody {
  if (stopped !== "timeout") return { type: "error", ...error };
  const message = `The code ran longer than ${timeoutMs} ms and was stopped. Variables are kept.`;
  return {
    type: "error",
    name: "TimeoutError",
    message,
    traceback: `${error.traceback}TimeoutError: ${message}\n`,
  };
}

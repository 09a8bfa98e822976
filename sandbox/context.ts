import { ContextMemory } from "./context-memory.ts";
import { concludeCell } from "./cell-end.ts";
import { describeExcess, doubled, exceeds, measureFolder, watchDisk } from "./disk-use.ts";
import type { DiskLimits } from "./disk-use.ts";
import type { Engines } from "./engines/engines.ts";
import { SandboxError } from "./errors.ts";
import type { Execution } from "./execution.ts";
import { busyError, Executions, lostError } from "./executions.ts";
import type {
  CallAnswer,
  ContextInfo,
  ExecutionEvent,
  ExecutionEventBody,
  ExecutionRequest,
  LostReason,
  PluginReport,
} from "./protocol.ts";
import { Turns } from "./turns.ts";
import { asksForChange, updated } from "./wanted.ts";
import type { Held, Wanted } from "./wanted.ts";
import { WorkingFolder } from "./working-folder.ts";

const CAPABILITIES = { stream: true, interrupt: true, reattach: true, files: true, network: "none" } as const;

export interface ContextOptions {
  id: string;
  engines: Engines;
  folder: { files: string; incoming: string; executions: string; memory: string };
  memoryMb: number;
  disk: DiskLimits;
  idleMs: number;
  /** Makes room for one more interpreter, or throws. */
  makeRoom: (context: Context) => void;
}

/**
 * One stateful Python, by name. It outlives its interpreter: files, plugins and session variables stay, and the next
 * execution starts a new interpreter. An execution that counts on a generation that is gone is refused before anything
 * runs.
 */
export class Context {
  readonly id: string;
  readonly files: WorkingFolder;
  readonly #options: ContextOptions;
  readonly #executions: Executions;
  readonly #memory: ContextMemory;
  /** What changes the interpreter, one after the other. */
  readonly #turns = new Turns();
  #held: Held;
  #plugins: PluginReport[] = [];
  #lastUse = Date.now();
  #resting = false;
  #deleted = false;
  #attached = false;

  constructor(options: ContextOptions) {
    this.#options = options;
    this.id = options.id;
    this.files = new WorkingFolder(options.folder.files, options.folder.incoming);
    this.#executions = new Executions(options.folder.executions);
    this.#memory = new ContextMemory(options.engines.default, options.folder.memory, (name) =>
      options.engines.find(name),
    );
    this.#held = { plugins: [], variables: {}, memoryMb: options.memoryMb };
  }

  /** Whether it was PUT since the server started: before that its plugins and variables are unknown. */
  get attached(): boolean {
    return this.#attached;
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#turns.taken;
  }

  /** Whether it has a process, or will have one soon. */
  get running(): boolean {
    return !this.#resting && (this.#memory.interpreter !== undefined || this.#turns.taken);
  }

  get lastUse(): number {
    return this.#lastUse;
  }

  info(created = false): ContextInfo {
    const running = this.#running;
    const { engine, interpreter, suspended, generation } = this.#memory;
    return {
      id: this.id,
      generation,
      created,
      state: running ? "busy" : interpreter ? "idle" : suspended ? "suspended" : "ended",
      ...(running ? { execution_id: running.id } : {}),
      engine: engine.name,
      python: engine.python,
      caps: { ...CAPABILITIES, suspend: engine.suspends, shell: engine.shell },
      plugins: this.#plugins,
      expires_at: new Date(this.#lastUse + this.#options.idleMs).toISOString(),
    };
  }

  touch(): void {
    this.#lastUse = Date.now();
  }

  /** Starts an interpreter if there is none and brings it to what is wanted. Answers whether it made one. */
  async attach(wanted: Wanted): Promise<boolean> {
    this.touch();
    const engine =
      wanted.engine === undefined ? this.#memory.engine : this.#options.engines.get(wanted.engine);
    const sameEngine = engine === this.#memory.engine;
    if (this.#running && sameEngine && !asksForChange(wanted, this.#held)) return false;
    this.#refuseWhenRunning();
    return await this.#turns.take(async () => {
      this.#attached = true;
      const changed = asksForChange(wanted, this.#held);
      this.#held = updated(this.#held, wanted);
      await this.#memory.change(engine);
      const { interpreter, suspended } = this.#memory;
      if (!interpreter) {
        await this.#start();
        return !suspended;
      }
      if (changed) this.#plugins = await interpreter.configure(this.#held);
      return false;
    });
  }

  /** The execution's stream from here on: live, or stored. Undefined when this id was never seen. */
  find(executionId: string): Execution | ExecutionEvent[] | undefined {
    return this.#executions.find(executionId);
  }

  /** Begins an execution, or finds the one that already has this id. */
  begin(request: ExecutionRequest): Execution | ExecutionEvent[] {
    this.touch();
    const known = this.find(request.execution_id);
    if (known) return known;
    const { generation, interpreter } = this.#memory;
    if (request.generation !== undefined && request.generation !== generation) throw lostError(generation);
    this.#refuseWhenRunning();
    if (!interpreter && !this.#turns.taken) this.#options.makeRoom(this);

    const { execution, index } = this.#executions.begin(request.execution_id, generation);
    void this.#run(execution, request, index);
    return execution;
  }

  /** Hands a call of the running execution its answer, once. */
  answerCall(executionId: string, callId: string, answer: CallAnswer): void {
    this.touch();
    const running = this.#running;
    const outcome = running?.id === executionId ? running.answer(callId) : "unknown";
    if (outcome === "answered") {
      throw new SandboxError("call_answered", `The call ${callId} has its answer already.`);
    }
    if (outcome === "unknown") {
      throw new SandboxError("call_not_found", `No running execution ${executionId} waits for ${callId}.`);
    }
    this.#memory.interpreter?.answer(callId, answer);
  }

  interrupt(): void {
    this.#memory.interpreter?.interrupt();
  }

  /** The server stops: an idle memory is kept for the next one. */
  async stop(): Promise<void> {
    const kept = !this.#running && (await this.suspend().catch(() => false));
    if (!kept) await this.end("server_stopped");
  }

  /** Keeps the memory on disk and ends the process; the generation stays. False when this memory can't be kept. */
  async suspend(): Promise<boolean> {
    this.#refuseWhenRunning();
    return await this.#turns.take(() => this.#memory.suspend());
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

  /** Ends an idle interpreter whose threads go on filling the disk. */
  async checkDisk(): Promise<void> {
    const limits = doubled(this.#options.disk);
    if (this.busy || !this.#memory.interpreter) return;
    const use = await measureFolder(this.files.root, limits);
    if (exceeds(use, limits) && !this.busy) await this.end("disk_limit");
  }

  /** An empty interpreter; files, plugins and session variables stay. */
  async reset(): Promise<void> {
    this.touch();
    await this.end("reset");
    await this.attach({});
  }

  /** Ends the interpreter, and with it the generation. */
  async end(reason: LostReason): Promise<void> {
    const running = this.#running;
    await this.#memory.end(reason);
    await running?.finished;
  }

  async delete(): Promise<void> {
    this.#deleted = true;
    this.#executions.close();
    await this.end("deleted");
    await this.#turns.settled();
    await this.end("deleted");
  }

  async #run(execution: Execution, request: ExecutionRequest, index: number): Promise<void> {
    const startedAt = performance.now();
    const { generation } = this.#memory;
    const { execution_id: executionId, code, timeout_ms: timeoutMs } = request;
    const last = await this.#turns
      .take(async (): Promise<ExecutionEventBody> => {
        // The memory that `started` named may have gone while this waited for its turn.
        if (this.#memory.generation !== generation) return { type: "lost", reason: "expired" };
        if (!this.#memory.interpreter) await this.#start();
        const onEvent = (event: ExecutionEventBody) => {
          // What code has set is there for the next interpreter as well.
          if (event.type === "session_var") this.#setVariable(event.name, event.value);
          execution.add(event);
        };
        const interpreter = this.#memory.interpreter!;
        const watch = watchDisk({
          folder: this.files.root,
          limits: this.#options.disk,
          onExcess: () => interpreter.interrupt(),
          onFlood: () => interpreter.kill("disk_limit"),
        });
        const outcome = await interpreter.run({ executionId, index, code, timeoutMs, onEvent });
        const use = await watch.end();
        const excess = use && describeExcess(use, this.#options.disk);
        return concludeCell(execution, outcome, { startedAt, timeoutMs, excess });
      })
      .catch((error: unknown): ExecutionEventBody => {
        console.error(`context ${this.id}:`, error);
        return { type: "lost", reason: "crashed" };
      });
    if (last.type === "lost") await this.#memory.gone();
    this.touch();
    this.#executions.finish(last);
  }

  async #start(): Promise<void> {
    if (this.#deleted) throw new SandboxError("context_not_found", "The context was deleted.");
    this.#options.makeRoom(this);
    const { memoryMb } = this.#held;
    const { files: folder } = this.#options.folder;
    await this.#memory
      .start({ contextId: this.id, folder, memoryMb }, async (interpreter) => {
        this.#plugins = await interpreter.configure(this.#held);
      })
      .catch((error: Error) => {
        throw new SandboxError("engine_failed", `The interpreter did not start: ${error.message}`);
      });
  }

  #setVariable(name: string, value: string): void {
    this.#held = { ...this.#held, variables: { ...this.#held.variables, [name]: value } };
  }

  get #running(): Execution | undefined {
    return this.#executions.running;
  }

  #refuseWhenRunning(): void {
    if (this.#running) throw busyError(this.#running, this.#memory.generation);
  }
}

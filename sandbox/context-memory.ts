import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Engine, Interpreter, OpenOptions } from "./engines/engine.ts";
import type { LostReason } from "./protocol.ts";

/**
 * What a context's interpreter holds: in a process, in a file, or nowhere yet. `generation` names it, and changes at the
 * moment when it is lost, whoever ended the process.
 */
export class ContextMemory {
  #engine: Engine;
  readonly #file: string;
  #generation = randomUUID();
  #interpreter: Interpreter | undefined;
  #suspended = false;

  /** `file` is where a suspended memory lies. */
  constructor(engine: Engine, file: string) {
    this.#engine = engine;
    this.#file = file;
  }

  get engine(): Engine {
    return this.#engine;
  }

  get generation(): string {
    return this.#generation;
  }

  /** The interpreter, if its process lives. */
  get interpreter(): Interpreter | undefined {
    return this.#interpreter?.alive ? this.#interpreter : undefined;
  }

  /** Whether the memory lies in a file, under the present generation. */
  get suspended(): boolean {
    return this.#suspended;
  }

  /** A new interpreter, or the suspended one in a new process; ready when `prepare` is through with it. */
  async start(
    options: Omit<OpenOptions, "memory">,
    prepare: (interpreter: Interpreter) => Promise<void>,
  ): Promise<void> {
    const memory = this.#suspended ? this.#file : undefined;
    try {
      const interpreter = await this.#engine.open({ ...options, memory });
      this.#interpreter = interpreter;
      void interpreter.exited.then(() => this.#forget(interpreter));
      await prepare(interpreter);
      this.#suspended = false;
      if (memory) await rm(memory, { force: true });
    } catch (error) {
      if (memory) await this.#discardFile();
      throw error;
    }
  }

  /** Keeps the memory on disk and ends the process. False when this memory can't be kept. */
  async suspend(): Promise<boolean> {
    const interpreter = this.interpreter;
    if (!interpreter) return this.#suspended;
    // Its process ends in this, which is no loss of memory.
    this.#interpreter = undefined;
    this.#suspended = await interpreter.suspend(this.#file);
    if (!this.#suspended) {
      this.#interpreter = interpreter;
      if (!interpreter.alive) this.#forget(interpreter);
    }
    return this.#suspended;
  }

  /** Ends the interpreter, and with it the generation. */
  async end(reason: LostReason): Promise<void> {
    const interpreter = this.#interpreter;
    if (interpreter) {
      this.#forget(interpreter);
      interpreter.kill(reason);
      await interpreter.exited;
    } else if (this.#suspended) {
      await this.#discardFile();
    }
  }

  /** Another engine from here on. What the present one holds is lost. */
  async change(engine: Engine): Promise<void> {
    if (engine === this.#engine) return;
    await this.end("reset");
    this.#engine = engine;
  }

  /** Settles when no process is left of an interpreter that is on its way out. */
  async gone(): Promise<void> {
    await this.#interpreter?.exited;
  }

  async #discardFile(): Promise<void> {
    this.#suspended = false;
    this.#generation = randomUUID();
    await rm(this.#file, { force: true });
  }

  #forget(interpreter: Interpreter): void {
    if (this.#interpreter !== interpreter) return;
    this.#interpreter = undefined;
    this.#generation = randomUUID();
  }
}

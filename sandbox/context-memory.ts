import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import type { Engine, Interpreter, OpenOptions } from "./engines/engine.ts";
import type { LostReason } from "./protocol.ts";

/** What a suspended memory is, for the server after this one. */
interface Note {
  generation: string;
  engine: string;
  build: string;
}

const noteOf = (file: string) => `${file}.json`;

function readNote(file: string): Note | undefined {
  if (!existsSync(file) || !existsSync(noteOf(file))) return undefined;
  try {
    return JSON.parse(readFileSync(noteOf(file), "utf8")) as Note;
  } catch {
    return undefined; // the server ended while it was written
  }
}

/**
 * What a context's interpreter holds: in a process, in a file, or nowhere yet. `generation` names it, and changes at the
 * moment when it is lost, whoever ended the process.
 */
export class ContextMemory {
  #engine: Engine;
  readonly #file: string;
  #generation: string = randomUUID();
  #interpreter: Interpreter | undefined;
  #suspended = false;

  /** `file` is where a suspended memory lies, also one from before this server was started. */
  constructor(engine: Engine, file: string, find: (name: string) => Engine | undefined) {
    this.#engine = engine;
    this.#file = file;
    const note = readNote(file);
    const wanted = note && find(note.engine);
    if (wanted?.build !== note?.build || !note || !wanted) {
      // Of another build, or cut off while it was written: nothing can go on from it.
      for (const path of [file, noteOf(file)]) rmSync(path, { force: true });
      return;
    }
    this.#engine = wanted;
    this.#generation = note.generation;
    this.#suspended = true;
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
      if (memory) await this.#removeFiles();
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
    if (this.#suspended) {
      const { name: engine, build } = this.#engine;
      const note: Note = { generation: this.#generation, engine, build };
      await writeFile(noteOf(this.#file), JSON.stringify(note), { mode: 0o600 });
    } else {
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
    await this.#removeFiles();
  }

  async #removeFiles(): Promise<void> {
    // The note goes first: without it the memory counts for nothing.
    for (const path of [noteOf(this.#file), this.#file]) await rm(path, { force: true });
  }

  #forget(interpreter: Interpreter): void {
    if (this.#interpreter !== interpreter) return;
    this.#interpreter = undefined;
    this.#generation = randomUUID();
  }
}

import { SandboxError } from "./errors.ts";
import { Execution } from "./execution.ts";
import { ExecutionStore } from "./execution-store.ts";
import type { ExecutionEvent, ExecutionEventBody } from "./protocol.ts";

/** The executions of one context: at most one that runs, and those that ended. */
export class Executions {
  readonly #store: ExecutionStore;
  #running: Execution | undefined;
  #closed = false;

  constructor(folder: string) {
    this.#store = new ExecutionStore(folder);
  }

  get running(): Execution | undefined {
    return this.#running;
  }

  /** The execution's stream from here on: live, or stored. Undefined when this id was never seen. */
  find(executionId: string): Execution | ExecutionEvent[] | undefined {
    if (this.#running?.id === executionId) return this.#running;
    return this.#store.read(executionId);
  }

  /** Known on disk when this returns, so that it can run; `index` numbers it over the context's whole life. */
  begin(executionId: string, generation: string): { execution: Execution; index: number } {
    const index = this.#store.count + 1;
    const execution = new Execution(executionId, (event) => this.#keep(executionId, event));
    execution.add({ type: "started", generation });
    this.#running = execution;
    return { execution, index };
  }

  /** Says the last word of the one that runs, when another may already begin. */
  finish(last: ExecutionEventBody): void {
    const execution = this.#running;
    this.#running = undefined;
    execution?.add(last);
    if (!this.#closed) this.#store.prune();
  }

  /** From here on nothing is stored: the context's folder is on its way out. */
  close(): void {
    this.#closed = true;
  }

  #keep(executionId: string, event: ExecutionEvent): void {
    if (this.#closed) return;
    try {
      this.#store.append(executionId, event);
    } catch (error) {
      if (event.type === "started") throw error;
      // A full disk costs the replay, not the execution that is under way.
      console.error(`an event of execution ${executionId} could not be stored:`, error);
    }
  }
}

export const busyError = (execution: Execution, generation: string) =>
  new SandboxError("context_busy", `The context is running ${execution.id}.`, {
    execution_id: execution.id,
    generation,
  });

export const lostError = (generation?: string) =>
  new SandboxError("context_lost", "The variables of that generation are gone; files are kept.", {
    generation,
  });

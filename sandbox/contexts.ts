import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Context } from "./context.ts";
import type { DiskLimits } from "./disk-use.ts";
import type { Engines } from "./engines/engines.ts";
import { SandboxError } from "./errors.ts";
import { lostError } from "./executions.ts";
import type { Wanted } from "./wanted.ts";

const SWEEP_MS = 5000;
/** How long the memory of a suspended context is kept. */
const SUSPENDED_MS = 7 * 24 * 3600 * 1000;
const RETRY_AFTER_SECONDS = 5;

export interface ContextsOptions {
  engines: Engines;
  folder: string;
  maxContexts: number;
  memoryMb: number;
  disk: DiskLimits;
  idleMs: number;
}

/** All contexts of the server, and how many of them may have an interpreter. Their folders stay until they are deleted,
 *  across restarts too; what plugins and variables they had is known only to this process, as both may hold secrets. */
export class Contexts {
  readonly #options: ContextsOptions;
  readonly #contexts = new Map<string, Context>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: ContextsOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(SWEEP_MS, options.idleMs));
    this.#sweep.unref();
    removeOldMemories(join(options.folder, "contexts")).catch((error: unknown) =>
      console.error("contexts:", error),
    );
  }

  async attach(id: string, wanted: Wanted): Promise<{ context: Context; created: boolean }> {
    if (wanted.engine !== undefined) this.#options.engines.get(wanted.engine); // refused before anything is made
    const context = await this.#open(id);
    return { context, created: await context.attach(wanted) };
  }

  /** A context that was made in this process's life. */
  get(id: string): Context {
    const context = this.#contexts.get(id);
    if (!context) throw notFound(id);
    return context;
  }

  /** A context whose files and stored executions are wanted: one from before a restart will do. */
  async getStored(id: string): Promise<Context> {
    if (!this.#contexts.has(id) && !existsSync(this.#folderOf(id))) throw notFound(id);
    return await this.#open(id);
  }

  /** Where an execution may go. A context from before a restart has lost its memory, and says so to whoever counts on it. */
  async forExecution(id: string, executionId: string, generation: string | undefined): Promise<Context> {
    const context = await this.getStored(id);
    if (context.attached || context.find(executionId)) return context;
    if (generation !== undefined) throw lostError();
    throw notFound(id);
  }

  async delete(id: string): Promise<void> {
    const context = this.#contexts.get(id);
    this.#contexts.delete(id);
    await context?.delete();
    await rm(this.#folderOf(id), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#contexts.values()].map((context) => context.stop()));
  }

  async #open(id: string): Promise<Context> {
    const known = this.#contexts.get(id);
    if (known) return known;
    const folder = this.#folderOf(id);
    const folders = {
      files: join(folder, "files"),
      incoming: join(folder, "incoming"),
      executions: join(folder, "executions"),
      memory: join(folder, "memory"),
    };
    await mkdir(folders.files, { recursive: true });
    // Another request may have been faster.
    let context = this.#contexts.get(id);
    if (!context) {
      const { engines, memoryMb, disk, idleMs } = this.#options;
      const makeRoom = (wanting: Context) => this.#makeRoom(wanting);
      context = new Context({ id, engines, folder: folders, memoryMb, disk, idleMs, makeRoom });
      this.#contexts.set(id, context);
    }
    return context;
  }

  #makeRoom(wanting: Context): void {
    const others = [...this.#contexts.values()].filter((context) => context !== wanting && context.running);
    if (others.length < this.#options.maxContexts) return;
    const idle = others.filter((context) => !context.busy).toSorted((a, b) => a.lastUse - b.lastUse);
    const longest = idle[0];
    if (!longest) {
      const message = `All ${this.#options.maxContexts} contexts are busy.`;
      throw new SandboxError("too_many_contexts", message, { retry_after: RETRY_AFTER_SECONDS });
    }
    longest.rest().catch((error: unknown) => console.error("contexts:", error));
  }

  #endIdle(): void {
    const now = Date.now();
    for (const context of this.#contexts.values()) {
      if (context.busy) continue;
      const idleFor = now - context.lastUse;
      const rest =
        idleFor > SUSPENDED_MS
          ? context.end("expired")
          : context.running && idleFor > this.#options.idleMs
            ? context.rest()
            : context.checkDisk();
      rest.catch((error: unknown) => console.error("contexts:", error));
    }
  }

  /** The caller chooses ids, so a folder's name is made from a hash. */
  #folderOf(id: string): string {
    const name = createHash("sha256").update(id).digest("hex").slice(0, 40);
    return join(this.#options.folder, "contexts", name);
  }
}

/** Memories that earlier servers have suspended and nobody has come back for. */
async function removeOldMemories(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name, "memory");
    const status = await stat(path).catch(() => undefined);
    if (status && Date.now() - status.mtimeMs > SUSPENDED_MS) await rm(path, { force: true });
  }
}

const notFound = (id: string) =>
  new SandboxError("context_not_found", `There is no context ${JSON.stringify(id)}; PUT it first.`);

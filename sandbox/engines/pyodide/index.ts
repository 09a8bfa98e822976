import { mkdir, rm, symlink } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readLock, readPyodideVersion } from "../../packages/lock.ts";
import type { Reaper } from "../../reaper.ts";
import type { Engine, Interpreter, OpenOptions } from "../engine.ts";
import type { EngineProcess } from "../engine-process.ts";
import { createInterpreter } from "../interpreter.ts";
import { watchMemory } from "../memory-watch.ts";
import { findPackages } from "./packages.ts";
import { requireNetworkPermission } from "./launch.ts";
import { startProcess } from "./process.ts";
import type { PyodideProcess } from "./process.ts";
import { prepareSnapshot, snapshotName } from "./snapshot.ts";

/** What Node and Pyodide's own code take, and machine code of packages. */
const BASE_MB = 384;
/** Going to disk and coming back, a memory is there up to three times. */
const COPIES = 3;

export interface PyodideOptions {
  /** Snapshots and the processes' own folders live here. */
  folder: string;
  /** Where wheels lie that code may import. */
  packages: string;
  graceMs: number;
  reaper: Reaper;
  /** Whether a process is kept waiting for the next context. */
  spare: boolean;
}

interface Started extends PyodideProcess {
  /** The only path of the host that this process may write below; a link to the working folder is put there. */
  link: string;
}

/** CPython as WebAssembly, one locked Node process a context. One process is kept warm, so that a new context doesn't
 *  wait for a start. */
export async function createPyodideEngine(options: PyodideOptions): Promise<Engine> {
  const { folder, graceMs, reaper } = options;
  requireNetworkPermission();
  // Made when it is first needed: a server whose contexts have another engine doesn't wait for it.
  let snapshot: Promise<string> | undefined;
  const packages = await findPackages({ folder: options.packages, into: join(folder, "packages"), reaper });
  const prepared = () => (snapshot ??= prepareSnapshot(join(folder, "snapshots"), reaper));
  const spaces = join(folder, "spaces");
  await rm(spaces, { recursive: true, force: true });
  await mkdir(spaces, { recursive: true });

  const running = new Set<EngineProcess>();
  let spare: Promise<Started> | undefined;
  let closed = false;

  async function cleanUp(process: EngineProcess, space: string): Promise<void> {
    await process.exited;
    running.delete(process);
    await rm(space, { recursive: true, force: true });
  }

  async function start(suspended?: string): Promise<Started> {
    const [memory, site] = await Promise.all([suspended ?? prepared(), packages.unpack()]);
    // A process's permissions are fixed when it starts, before its context is known. So it is given a path of its own,
    // where a link to the context's folder appears later; permissions look at the path, not at where links lead. Only
    // this server can make links.
    const space = join(spaces, randomUUID());
    await mkdir(space, { recursive: true });
    const link = join(space, "files");
    const { process, pid, memoryFile } = await startProcess({
      snapshot: memory,
      link,
      space,
      packages: site,
      reaper,
    });
    running.add(process);
    void cleanUp(process, space);
    if (closed) process.kill();
    await process.ready;
    return { process, pid, memoryFile, link };
  }

  function warmUp(): void {
    if (closed || spare || !options.spare) return;
    spare = start();
    // A spare that can't start is no one's problem yet: the next context starts its own, and reports.
    spare.catch(() => {});
  }

  async function take(): Promise<Started> {
    const waiting = spare;
    spare = undefined;
    const started = await waiting?.catch(() => undefined);
    return started?.process.alive ? started : await start();
  }

  async function openInterpreter(wanted: OpenOptions): Promise<Interpreter> {
    const { contextId, memoryMb, memory } = wanted;
    const { process, pid, memoryFile, link } = memory ? await start(memory) : await take();
    await symlink(wanted.folder, link);
    const open = { folder: `${link}/.`, memory_mb: memoryMb, resumed: memory !== undefined };
    const interpreter = await createInterpreter({ process, contextId, graceMs, open, memoryFile });
    // Python's own memory has its exact limit inside; this is for what a program gets out of JavaScript.
    const stopWatch = watchMemory(pid, COPIES * memoryMb + BASE_MB, () => interpreter.kill("memory_limit"));
    void process.exited.then(stopWatch);
    warmUp();
    return interpreter;
  }

  // A wheel that is broken is told of before anybody counts on it.
  if (options.spare) await packages.unpack();
  warmUp();
  await spare;

  return {
    name: "pyodide",
    python: readLock().info.python,
    description: `Pyodide ${readPyodideVersion()} in a locked process`,
    packages: { numpy: null, pandas: null, matplotlib: null, ...packages.versions },
    build: `${await snapshotName()}${packages.name && `-${packages.name}`}`,
    suspends: true,
    shell: false,
    open: openInterpreter,
    async close() {
      closed = true;
      const exits = [...running].map((process) => {
        process.kill();
        return process.exited;
      });
      await Promise.all(exits);
    },
  };
}

import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Reaper } from "../../reaper.ts";
import { createEngineProcess } from "../engine-process.ts";
import type { EngineProcess } from "../engine-process.ts";
import { launchLocked } from "./launch.ts";

const MEMORY_MB = 256;

export interface StartOptions {
  snapshot: string;
  link: string;
  space: string;
  /** Where packages are unpacked. */
  packages: string | undefined;
  reaper: Reaper;
}

/** A locked process, and the file where it writes its memory when it is told to; the file goes when the process does. */
export interface PyodideProcess {
  process: EngineProcess;
  pid: number | undefined;
  memoryFile: string;
}

export async function startProcess(options: StartOptions): Promise<PyodideProcess> {
  const { snapshot, link, space, packages, reaper } = options;
  // The interrupt file: this side writes its one byte, the child can only read, and no path leads to it any more.
  const interruptPath = join(space, "interrupt");
  writeFileSync(interruptPath, "\0", { mode: 0o600 });
  const ours = openSync(interruptPath, "r+");
  const theirs = openSync(interruptPath, "r");
  await rm(interruptPath);

  const memoryFile = join(space, "memory");
  const memory = openSync(memoryFile, "wx", 0o600);

  const child = launchLocked({
    read: [snapshot, link, join(link, "*"), ...(packages ? [packages, join(packages, "*")] : [])],
    write: [join(link, "*")],
    extraFds: [theirs, memory],
    options: { snapshot, packages, memory_mb: MEMORY_MB },
  });
  closeSync(theirs);
  closeSync(memory);

  let interrupts = 0;
  const interrupt = (): void => {
    interrupts = (interrupts + 1) % 256;
    writeSync(ours, Buffer.of(interrupts), 0, 1, 0);
  };
  const process = createEngineProcess({ child, reaper, interrupt, onEnd: () => closeSync(ours) });
  return { process, pid: child.pid, memoryFile };
}

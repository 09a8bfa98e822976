import { randomUUID } from "node:crypto";
import { chown, lchown, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Reaper } from "../../reaper.ts";
import type { Engine, Interpreter, OpenOptions } from "../engine.ts";
import { createEngineProcess } from "../engine-process.ts";
import type { EngineProcess } from "../engine-process.ts";
import { createInterpreter } from "../interpreter.ts";
import { watchMemory } from "../memory-watch.ts";
import { describe, findJail, howToGetIt, launch, userOf } from "./launch.ts";
import type { Jail } from "./launch.ts";
import { findSystemPython } from "./system-python.ts";
import type { SystemPython } from "./system-python.ts";

/** What one process may have, and a little: several together shouldn't have more. See limits.py. */
const BASE_MB = 256;

export interface CPythonOptions {
  /** The processes' own folders live here. */
  folder: string;
  graceMs: number;
  diskMb: number;
  reaper: Reaper;
  /** Paths of the programs. */
  python: string;
  bwrap: string;
  jail: "bwrap" | "none";
}

const description = z.object({ python: z.string(), packages: z.record(z.string(), z.string().nullable()) });

/** The system's Python, a process a context, inside bubblewrap. Throws when it can't be had, and says how to get it. */
export async function createCPythonEngine(options: CPythonOptions): Promise<Engine> {
  const { folder, graceMs, diskMb, reaper } = options;
  const jail = findJail(options.jail, options.bwrap);
  const python = await findSystemPython(options.python);
  const inside = await look(python, jail);
  const spaces = join(folder, "spaces");
  await rm(spaces, { recursive: true, force: true });
  const running = new Set<EngineProcess>();

  async function open({ contextId, folder: workingFolder, memoryMb }: OpenOptions): Promise<Interpreter> {
    // Without a jail the working folder may lie where another user can't get to.
    const user = jail === "none" ? undefined : userOf(contextId);
    const temporary = join(spaces, randomUUID());
    await mkdir(temporary, { recursive: true });
    if (user !== undefined) await giveTo(user, workingFolder);
    const child = launch({ python, jail, folder: workingFolder, temporary, user, memoryMb, diskMb });
    const process = createEngineProcess({
      child,
      reaper,
      interrupt: ({ send }) => send({ type: "interrupt" }),
      kill: jail === "none" ? () => killGroup(child.pid) : () => void child.kill("SIGKILL"),
      onEnd: () => {
        stopWatch();
        running.delete(process);
        void rm(temporary, { recursive: true, force: true });
      },
    });
    let interpreter: Interpreter | undefined;
    const stopWatch = watchMemory(child.pid, memoryMb + BASE_MB, () => interpreter?.kill("memory_limit"));
    running.add(process);
    await process.ready;
    interpreter = await createInterpreter({ process, contextId, graceMs, open: {} });
    return interpreter;
  }

  return {
    name: "cpython",
    ...inside,
    description: `the system's CPython ${jail === "none" ? "without a jail of its own" : "in bubblewrap"}`,
    build: "",
    suspends: false,
    shell: true,
    open,
    async close() {
      const exits = [...running].map((process) => {
        process.kill();
        return process.exited;
      });
      await Promise.all(exits);
    },
  };
}

async function look(python: SystemPython, jail: Jail): Promise<z.infer<typeof description>> {
  try {
    return description.parse(JSON.parse(await describe(python, jail)));
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().slice(-500);
    if (jail === "none") throw new Error(`Python doesn't start: ${reason}`, { cause: error });
    throw new Error(
      `bubblewrap can't make its namespaces here: ${reason}. It needs version 0.8 or newer, and a kernel and a` +
        ` container that allow user namespaces. ${howToGetIt}`,
      { cause: error },
    );
  }
}

/** All that is in the folder belongs to this user. */
async function giveTo(user: number, folder: string): Promise<void> {
  if ((await stat(folder)).uid === user) return;
  const entries = await readdir(folder, { recursive: true });
  for (const entry of entries) await lchown(join(folder, entry), user, user);
  await chown(folder, user, user);
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

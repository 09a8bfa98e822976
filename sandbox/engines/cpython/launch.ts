import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ENGINE_IN_JAIL, jailArguments, PYTHON_IN_JAIL, WORKING_FOLDER } from "./jail.ts";
import type { SystemPython } from "./system-python.ts";

const here = dirname(fileURLToPath(import.meta.url));
const code = { python: join(here, "../../python"), engine: here };
const DESCRIBE_LIMIT_MS = 20_000;
/** Users of their own for contexts of a server that is root: above what containers are given, and nobody's. */
const FIRST_USER = 0x7000_0000;
const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LANG: "C.UTF-8",
  USER: "sandbox",
  LOGNAME: "sandbox",
  // A thread each for numerics: their memory counts, and a context is not alone on the machine.
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
};

/** How an engine process is kept in: bubblewrap's path, or `none` where the server's own container is the jail. */
export type Jail = { bwrap: string } | "none";

export interface LaunchOptions {
  python: SystemPython;
  jail: Jail;
  folder: string;
  /** A folder of its own for temporary files; only used without a jail, which has one inside. */
  temporary: string;
  user: number | undefined;
  memoryMb: number;
  diskMb: number;
}

const serverIsRoot = (): boolean => process.getuid?.() === 0;

/** The user that a context's code runs as when the server is root: the kernel exempts root from limits on processes. */
export function userOf(contextId: string): number | undefined {
  if (!serverIsRoot()) return undefined;
  return FIRST_USER + createHash("sha256").update(contextId).digest().readUIntBE(0, 3);
}

export function launch({
  python,
  jail,
  folder,
  temporary,
  user,
  memoryMb,
  diskMb,
}: LaunchOptions): ChildProcess {
  const jailed = jail !== "none";
  const options = {
    folder: jailed ? WORKING_FOLDER : folder,
    python_folder: jailed ? PYTHON_IN_JAIL : code.python,
    uid: user ?? null,
    // Whether the processes that this one could signal are only its own.
    alone: jailed,
    memory_mb: memoryMb,
    disk_mb: diskMb,
  };
  const script = join(jailed ? ENGINE_IN_JAIL : code.engine, "engine.py");
  const [program, args] = command({ python, jail, folder, temporary }, [script, JSON.stringify(options)]);
  return spawn(program, args, { env: {}, cwd: "/", stdio: "pipe", detached: !jailed });
}

/** What a program in this jail says of itself: the proof that it can be started here, and what it has. */
export async function describe(python: SystemPython, jail: Jail): Promise<string> {
  const script = join(jail === "none" ? code.engine : ENGINE_IN_JAIL, "describe.py");
  const [program, args] = command({ python, jail, temporary: "/tmp" }, [script]);
  const limits = { env: {}, cwd: "/", timeout: DESCRIBE_LIMIT_MS, killSignal: "SIGKILL" } as const;
  return (await promisify(execFile)(program, args, limits)).stdout;
}

/** Throws when there is no jail. Never is one left out because it is missing. */
export function findJail(setting: "bwrap" | "none", bwrap: string): Jail {
  if (setting === "none") return "none";
  if (process.platform !== "linux" || !existsSync(bwrap)) {
    throw new Error(`There is no bubblewrap at ${bwrap}. ${howToGetIt}`);
  }
  return { bwrap };
}

export const howToGetIt =
  "Install it (apt-get install bubblewrap), or name it with SANDBOX_BWRAP. SANDBOX_JAIL=none runs Python without it," +
  " and is only for a server whose own container is the jail.";

function command(
  {
    python,
    jail,
    folder,
    temporary,
  }: Pick<LaunchOptions, "python" | "jail" | "temporary"> & { folder?: string },
  script: string[],
): [string, string[]] {
  const inside = jail === "none" ? temporary : "/tmp";
  const variables = { ...ENVIRONMENT, HOME: inside, TMPDIR: inside, MPLCONFIGDIR: inside };
  const run = [python.executable, "-I", "-B", ...script];
  if (jail === "none") {
    return [
      "/usr/bin/env",
      ["-i", ...Object.entries(variables).map(([key, value]) => `${key}=${value}`), ...run],
    ];
  }
  const set = Object.entries(variables).flatMap(([key, value]) => ["--setenv", key, value]);
  return [
    jail.bwrap,
    [...jailArguments({ python, code, folder, root: serverIsRoot() }), ...set, "--", ...run],
  ];
}

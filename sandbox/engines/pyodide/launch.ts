import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const pyodideFolder = dirname(createRequire(import.meta.url).resolve("pyodide"));
const childFiles = [
  "child.mjs",
  "grown-memory.mjs",
  "lockdown.mjs",
  "interrupts.mjs",
  "lines.mjs",
  "mounts.mjs",
];

export interface LaunchOptions {
  /** Paths in the permission flags' own form: an exact path, or a folder followed by `/*`. */
  read: string[];
  write: string[];
  /** Become file descriptors 3 and up of the child. */
  extraFds: number[];
  /** Handed to child.mjs. */
  options: Record<string, unknown>;
}

/** Throws when this Node can't lock an engine in: without the network permission Python would reach the network. */
export function requireNetworkPermission(): void {
  if (!process.allowedNodeEnvironmentFlags.has("--allow-net")) {
    throw new Error(
      `Node ${process.versions.node} has no network permission (--allow-net), and without it model-written Python could` +
        ` reach the network. Node 26 comes with the project: start the sandbox with "npm run sandbox".`,
    );
  }
}

/** Starts a locked child: it may read Pyodide and its own few files, and otherwise only what is named. No network, no
 *  processes, no workers (they would escape the permissions), no addons, no WASI, no inspector, no code from strings,
 *  nothing of this process's environment. Pyodide without all this is a shell on the host. */
export function launchLocked({ read, write, extraFds, options }: LaunchOptions): ChildProcess {
  const allowed = [join(pyodideFolder, "*"), ...childFiles.map((file) => join(here, file)), ...read];
  const flags = [
    "--permission",
    ...allowed.map((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${path}`),
    "--disallow-code-generation-from-strings",
    "--max-old-space-size=256",
  ];
  const pyodide = `${pathToFileURL(pyodideFolder).href}/`;
  return spawn(
    process.execPath,
    [...flags, join(here, "child.mjs"), JSON.stringify({ pyodide, ...options })],
    { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe", ...extraFds] },
  );
}

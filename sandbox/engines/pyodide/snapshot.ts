import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPyodideVersion } from "../../packages/lock.ts";
import type { Reaper } from "../../reaper.ts";
import { launchLocked } from "./launch.ts";

const here = dirname(fileURLToPath(import.meta.url));
const pythonFolder = join(here, "../../python");
const FOLDER_IN_PYTHON = "/lib/taskweaver";
const MEMORY_MB = 256;

/** What a session is likely to import, so that it costs nothing there. */
const WARM_MODULES =
  "array, calendar, csv, datetime, decimal, fractions, glob, hashlib, heapq, html, itertools, pathlib, pprint, shutil, " +
  "sqlite3, statistics, string, tempfile, textwrap, uuid, zipfile, xml.etree.ElementTree";

interface PythonFile {
  path: string;
  text: string;
}

/** Path of a memory image of Pyodide with the runner imported: a session starts from it in a third of a second. It is
 *  made once for a version of Pyodide, Node and the runner, in a locked child, and kept in `folder`. */
export async function prepareSnapshot(folder: string, reaper: Reaper): Promise<string> {
  await mkdir(folder, { recursive: true });
  const files = await readPythonFiles();
  const path = join(folder, `${nameFor(files)}.snapshot`);
  const ready = await stat(path).catch(() => undefined);
  if (!ready) {
    for (const stale of await readdir(folder)) await rm(join(folder, stale), { force: true });
    await build(path, files, reaper);
  }
  return path;
}

/** Names the snapshot by all that it is made of. */
export async function snapshotName(): Promise<string> {
  return nameFor(await readPythonFiles());
}

const nameFor = (files: PythonFile[]) => `pyodide-${readPyodideVersion()}-${fingerprint(files)}`;

async function build(path: string, files: PythonFile[], reaper: Reaper): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  const fd = openSync(unfinished, "w", 0o600);
  const program =
    `import sys\nsys.path.insert(0, ${JSON.stringify(FOLDER_IN_PYTHON)})\n` +
    `import taskweaver_engine, taskweaver.plugin.utils, ${WARM_MODULES}\n`;
  const child = launchLocked({
    read: [],
    write: [],
    extraFds: [fd],
    options: { memory_mb: MEMORY_MB, build: { folder: FOLDER_IN_PYTHON, files, program } },
  });
  closeSync(fd);
  reaper.watch(child);
  let complaint = "";
  child.stderr?.on("data", (data) => (complaint += data));
  child.stdout?.resume();
  const [code] = await once(child, "exit");
  if (code !== 0) {
    await rm(unfinished, { force: true });
    throw new Error(`The Python snapshot could not be made (exit ${code}): ${complaint.slice(-2000)}`);
  }
  await rename(unfinished, path);
}

async function readPythonFiles(): Promise<PythonFile[]> {
  const names = (await readdir(pythonFolder, { recursive: true })).filter((name) => name.endsWith(".py"));
  const files = names
    .toSorted()
    .map(async (path) => ({ path, text: await readFile(join(pythonFolder, path), "utf8") }));
  const engine = { path: "taskweaver_engine.py", text: await readFile(join(here, "engine.py"), "utf8") };
  return [...(await Promise.all(files)), engine];
}

function fingerprint(files: PythonFile[]): string {
  const hash = createHash("sha256").update(JSON.stringify([process.version, WARM_MODULES, files]));
  return hash.digest("hex").slice(0, 16);
}

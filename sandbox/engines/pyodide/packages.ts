import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readLock } from "../../packages/lock.ts";
import { fitsPyodide, parseWheelName, type Wheel } from "../../packages/wheel.ts";
import type { Reaper } from "../../reaper.ts";
import { launchLocked } from "./launch.ts";

const MEMORY_MB = 1024;

/** The wheels of the packages' folder. */
export interface Packages {
  versions: Record<string, string>;
  /** Changes when they do; empty when there are none. */
  name: string;
  /** Where they lie unpacked, for interpreters to read; undefined when there are none. */
  unpack(): Promise<string | undefined>;
}

/** Looks for wheels in `folder`. They are unpacked below `into`, once for each set of them. */
export async function findPackages(options: {
  folder: string;
  into: string;
  reaper: Reaper;
}): Promise<Packages> {
  const { folder, into, reaper } = options;
  const { info } = readLock();
  const wheels: (Wheel & { state: string })[] = [];
  const files = await readdir(folder).catch(() => []);
  for (const file of files.filter((each) => each.endsWith(".whl")).toSorted()) {
    const wheel = parseWheelName(file);
    if (!wheel || !fitsPyodide(wheel, { abi: info.abi_version, python: info.python })) {
      const built = `pyemscripten_${info.abi_version}_wasm32`;
      console.error(
        `${join(folder, file)} is left out: it is neither pure Python nor built for this Pyodide (${built}).`,
      );
      continue;
    }
    const { size, mtimeMs } = await stat(join(folder, file));
    wheels.push({ ...wheel, state: `${size}-${mtimeMs}` });
  }
  const versions = Object.fromEntries(wheels.map(({ name, version }) => [name, version]));
  if (wheels.length === 0) return { versions, name: "", unpack: async () => undefined };

  const hash = createHash("sha256")
    .update(JSON.stringify([info, wheels]))
    .digest("hex")
    .slice(0, 16);
  let unpacked: Promise<string> | undefined;
  return {
    versions,
    name: hash,
    unpack: () =>
      (unpacked ??= unpack(
        wheels.map(({ file }) => join(folder, file)),
        into,
        hash,
        reaper,
      )),
  };
}

async function unpack(wheels: string[], into: string, name: string, reaper: Reaper): Promise<string> {
  const target = join(into, name);
  if (await stat(target).catch(() => undefined)) return target;
  await rm(into, { recursive: true, force: true });
  const program = await readFile(join(import.meta.dirname, "unpack.py"), "utf8");
  const unfinished = `${target}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  // Somebody else's archives are opened where they can do nothing but fill this folder.
  const child = launchLocked({
    read: [...wheels, unfinished, join(unfinished, "*")],
    write: [join(unfinished, "*")],
    extraFds: [],
    options: { memory_mb: MEMORY_MB, unpack: { wheels, folder: unfinished, program } },
  });
  reaper.watch(child);
  let complaint = "";
  child.stdout?.on("data", (data) => (complaint += data));
  child.stderr?.on("data", (data) => (complaint += data));
  const [code] = await once(child, "exit");
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`The packages could not be unpacked: ${complaint.trim().slice(-1000)}`);
  }
  await rename(unfinished, target);
  return target;
}

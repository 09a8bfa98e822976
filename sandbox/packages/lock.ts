import { createRequire } from "node:module";
import { z } from "zod";
import { normalName } from "./wheel.ts";

const lockFile = z.object({
  info: z.object({ python: z.string(), abi_version: z.string() }),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      file_name: z.string(),
      sha256: z.string(),
      depends: z.array(z.string()),
    }),
  ),
});

/** The packages that were built for a version of Pyodide, each file with its checksum. */
export type PackageLock = z.infer<typeof lockFile>;
export type LockedPackage = PackageLock["packages"][string];

/** What comes with Pyodide. */
export function readLock(): PackageLock {
  return lockFile.parse(createRequire(import.meta.url)("pyodide/pyodide-lock.json"));
}

export function readPyodideVersion(): string {
  return (createRequire(import.meta.url)("pyodide/package.json") as { version: string }).version;
}

/** The named packages and all that they need. @throws PackagesError for a name that isn't there */
export function resolvePackages(lock: PackageLock, names: string[]): LockedPackage[] {
  const byName = new Map(Object.entries(lock.packages).map(([name, each]) => [normalName(name), each]));
  const found = new Map<string, LockedPackage>();
  const waiting = names.map((name) => normalName(name));
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (found.has(name)) continue;
    const each = byName.get(name);
    if (!each) {
      throw new PackagesError(
        `Pyodide has no package "${name}". Those it has are the keys of "packages" in` +
          ` node_modules/pyodide/pyodide-lock.json; wheels of pure Python can be put into the folder by hand.`,
      );
    }
    found.set(name, each);
    waiting.push(...each.depends.map((dependency) => normalName(dependency)));
  }
  return [...found.values()].toSorted((a, b) => a.file_name.localeCompare(b.file_name));
}

/** Packages can't be had, with the reason for whoever asked for them. */
export class PackagesError extends Error {}

import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface FoundFile {
  path: string;
  /** The folder that it lies in, below the base folder; empty for the base folder itself. */
  subPath: string;
  name: string;
}

/** The YAML files of a folder and its sub-folders, in an order that doesn't depend on the file system. */
export function yamlFiles(folder: string): FoundFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name) && !entry.name.startsWith("."))
    .map((entry) => ({
      path: join(entry.parentPath, entry.name),
      subPath: relative(folder, entry.parentPath).split(sep).join("/"),
      name: entry.name,
    }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryPath, writeIfChanged } from "./compile.ts";

/** Writes the Python that drivers bring into a kernel which isn't ours as a module: a Worker has no folder to read. */
export function writeShim(): string[] {
  const folder = join(repositoryPath, "sandbox/python");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".py"),
  );
  const files = Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const digest = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const text = [
    "// Made from sandbox/python by `npm run gen`. Do not edit.",
    `export const shimDigest = "${digest}";`,
    "",
    `export const shimFiles: Record<string, string> = ${JSON.stringify(files, null, 2)};`,
    "",
  ].join("\n");
  const path = join(repositoryPath, "src/sandbox/_shim.ts");
  return writeIfChanged(path, text) ? [path] : [];
}

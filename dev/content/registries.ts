import { join } from "node:path";
import { repositoryPath, writeIfChanged } from "./compile.ts";
import { leafFolders } from "./find-roles.ts";

const kinds = [
  { folder: "src/roles", export: "role", list: "roles" },
  { folder: "src/sandbox", export: "createSandbox", list: "sandboxDrivers" },
];

const LINE = 110;

/** As the formatter would have it. */
function declare(list: string, open: string, names: string[], close: string): string {
  const line = `export const ${list} = ${open}${names.join(", ")}${close};`;
  if (line.length <= LINE) return line;
  const lines = names.map((name) => `  ${name},`).join("\n");
  return `export const ${list} = ${open.trim()}\n${lines}\n${close.trim()};`;
}

/** Writes the list of leaves of each kind: a Worker has no directory to read at run time. */
export function writeRegistries(): string[] {
  return kinds.flatMap(({ folder, export: name, list }) => {
    const leaves = leafFolders(join(repositoryPath, folder));
    const local = (leaf: string) => leaf.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
    const text = [
      "// Made from the folders beside it by `npm run gen`. Do not edit.",
      ...leaves.map((leaf) => `import { ${name} as ${local(leaf)} } from "./${leaf}/index.ts";`),
      "",
      list === "roles"
        ? declare(list, "[", leaves.map(local), "]")
        : declare(list, "{ ", leaves.map(local), " }"),
      "",
    ].join("\n");
    const path = join(repositoryPath, folder, "_registry.ts");
    return writeIfChanged(path, text) ? [path] : [];
  });
}

import { join } from "node:path";
import { repositoryPath, writeIfChanged } from "./compile.ts";
import { leafFolders } from "./find-roles.ts";

const kinds = [
  { folder: "src/roles", export: "role", list: "roles" },
  { folder: "src/sandbox", export: "createSandbox", list: "sandboxDrivers" },
];

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
        ? `export const ${list} = [${leaves.map(local).join(", ")}];`
        : `export const ${list} = { ${leaves.map(local).join(", ")} };`,
      "",
    ].join("\n");
    const path = join(repositoryPath, folder, "_registry.ts");
    return writeIfChanged(path, text) ? [path] : [];
  });
}

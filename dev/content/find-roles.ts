import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Role } from "../../src/roles/role.ts";
import { bundleModules } from "./bundle-modules.ts";
import { ContentError } from "./problem.ts";

export interface FoundRole {
  folder: string;
  role: Role;
}

/** The folders of a kind that have a door. */
export function leafFolders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(parent, entry.name, "index.ts")))
    .map(({ name }) => name)
    .toSorted();
}

/** Loads the roles of `src/roles/`, as they are. */
export async function loadOwnRoles(rolesPath: string): Promise<FoundRole[]> {
  const found: FoundRole[] = [];
  for (const folder of leafFolders(rolesPath)) {
    const module = (await import(pathToFileURL(join(rolesPath, folder, "index.ts")).href)) as { role?: Role };
    found.push({ folder: join(rolesPath, folder), role: checkRole(module.role, folder) });
  }
  return found;
}

/** The roles of a project, bundled into `outFile`; in a project `../role` is the contract of this server. */
export async function bundleProjectRoles(options: {
  projectPath: string;
  contractPath: string;
  outFile: string;
}): Promise<FoundRole[]> {
  const folder = join(options.projectPath, "roles");
  const folders = leafFolders(folder);
  const roles = await bundleModules<Role>({
    projectPath: options.projectPath,
    folder,
    outFile: options.outFile,
    exportName: "role",
    modules: folders.map((name) => `${name}/index.ts`),
    contract: { meant: join(folder, "role"), path: options.contractPath },
  });
  return folders.map((name, index) => ({ folder: join(folder, name), role: checkRole(roles[index], name) }));
}

function checkRole(role: Role | undefined, folder: string): Role {
  const file = `roles/${folder}/index.ts`;
  if (!role || typeof role.reply !== "function") {
    throw new ContentError([
      { file, message: "it must export `role`, made by defineRole({ name, alias, intro, reply })" },
    ]);
  }
  const expected = folder.replaceAll("-", "_");
  if (role.name !== expected) {
    throw new ContentError([
      { file, field: "name", message: `it is "${role.name}", but must be "${expected}" after its folder` },
    ]);
  }
  return role;
}

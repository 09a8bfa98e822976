import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Role } from "../../src/roles/role.ts";
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

/**
 * Bundles the roles of a project into one module, so that they may import what lies in the project, and loads them from
 * there. In a project `../role` is the contract of this server.
 */
export async function bundleProjectRoles(options: {
  projectPath: string;
  contractPath: string;
  outFile: string;
}): Promise<FoundRole[]> {
  const rolesPath = join(options.projectPath, "roles");
  const folders = leafFolders(rolesPath);
  if (folders.length === 0) return [];
  mkdirSync(dirname(options.outFile), { recursive: true });
  const imports = folders.map((folder, index) => `import * as role${index} from "./${folder}/index.ts";`);
  const list = folders.map((_folder, index) => `role${index}.role`).join(", ");
  await build({
    stdin: {
      contents: `${imports.join("\n")}\nexport const projectRoles = [${list}];`,
      resolveDir: rolesPath,
      sourcefile: "project-roles.ts",
      loader: "ts",
    },
    outfile: options.outFile,
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker"],
    packages: "bundle",
    logLevel: "silent",
    plugins: [
      roleContract(rolesPath, options.contractPath, options.outFile),
      serverPackages(options.contractPath),
    ],
  }).catch((error: { errors?: { text: string; location: { file: string; line: number } | null }[] }) => {
    const problems = (error.errors ?? []).map(({ text, location }) => ({
      file: location ? relative(options.projectPath, resolve(location.file)) : "roles",
      ...(location ? { line: location.line } : {}),
      message: text,
    }));
    throw problems.length > 0 ? new ContentError(problems) : error;
  });
  // A changed file must not come from the module cache.
  const fresh = `${pathToFileURL(options.outFile).href}?at=${Date.now()}`;
  const { projectRoles } = (await import(fresh)) as { projectRoles: (Role | undefined)[] };
  return folders.map((folder, index) => ({
    folder: join(rolesPath, folder),
    role: checkRole(projectRoles[index], folder),
  }));
}

function roleContract(rolesPath: string, contractPath: string, outFile: string): Plugin {
  return {
    name: "role-contract",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/.*role(\.ts)?$/ }, ({ path, resolveDir }) => {
        const meant = resolve(resolveDir, path).replace(/\.ts$/, "");
        if (meant !== join(rolesPath, "role") || existsSync(`${meant}.ts`)) return undefined;
        return { path: relative(dirname(outFile), contractPath), external: true };
      });
    },
  };
}

/** What a project doesn't bring itself, zod above all, is taken from the server's own packages. */
function serverPackages(contractPath: string): Plugin {
  const asked = new Set<string>();
  return {
    name: "server-packages",
    setup({ onResolve, resolve: resolveAs }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir }) => {
        if (asked.has(`${importer} ${path}`)) return undefined;
        asked.add(`${importer} ${path}`);
        const own = await resolveAs(path, { importer, kind, resolveDir });
        if (own.errors.length === 0) return own;
        return resolveAs(path, { importer: contractPath, kind, resolveDir: dirname(contractPath) });
      });
    },
  };
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

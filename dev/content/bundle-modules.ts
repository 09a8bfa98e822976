import { existsSync, mkdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { ContentError } from "./problem.ts";

/**
 * Bundles TypeScript of a project into one module, so that it may import what lies in the project, and loads it from
 * there. Where it imports a contract by the place that this has beside it, it is given the contract of this server.
 */
export async function bundleModules<Exported>(options: {
  projectPath: string;
  /** The folder that the modules are in, and their paths inside. */
  folder: string;
  modules: string[];
  /** What each of them exports; the bundle exports the list of it as `bundled`. */
  exportName: string;
  /** `meant` is where the project imports it from, without `.ts`. */
  contract: { meant: string; path: string };
  outFile: string;
}): Promise<(Exported | undefined)[]> {
  const { projectPath, folder, modules, exportName, contract, outFile } = options;
  if (modules.length === 0) return [];
  mkdirSync(dirname(outFile), { recursive: true });
  const imports = modules.map((path, index) => `import * as module${index} from "./${path}";`);
  const list = modules.map((_path, index) => `module${index}.${exportName}`).join(", ");
  await build({
    stdin: {
      contents: `${imports.join("\n")}\nexport const bundled = [${list}];`,
      resolveDir: folder,
      sourcefile: "bundle.ts",
      loader: "ts",
    },
    outfile: outFile,
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker"],
    packages: "bundle",
    logLevel: "silent",
    plugins: [serverContract(contract, outFile), serverPackages(contract.path)],
  }).catch((error: { errors?: { text: string; location: { file: string; line: number } | null }[] }) => {
    const problems = (error.errors ?? []).map(({ text, location }) => ({
      file: location ? relative(projectPath, resolve(location.file)) : relative(projectPath, folder),
      ...(location ? { line: location.line } : {}),
      message: text,
    }));
    throw problems.length > 0 ? new ContentError(problems) : error;
  });
  // A changed file must not come from the module cache.
  const fresh = `${pathToFileURL(outFile).href}?at=${Date.now()}`;
  const { bundled } = (await import(fresh)) as { bundled: (Exported | undefined)[] };
  return bundled;
}

function serverContract(
  { meant, path: contractPath }: { meant: string; path: string },
  outFile: string,
): Plugin {
  const name = meant.slice(meant.lastIndexOf("/") + 1);
  return {
    name: "server-contract",
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^\\.\\.?/.*${name}(\\.ts)?$`) }, ({ path, resolveDir }) => {
        const wanted = resolve(resolveDir, path).replace(/\.ts$/, "");
        const isOurs = `${wanted}.ts` === contractPath;
        if (!isOurs && (wanted !== meant || existsSync(`${wanted}.ts`))) return undefined;
        const from = relative(dirname(outFile), contractPath);
        return { path: from.startsWith(".") ? from : `./${from}`, external: true };
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

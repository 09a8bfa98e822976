import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { EdgePlugin } from "../../src/plugins/edge-plugin.ts";
import { bundleModules } from "./bundle-modules.ts";
import { ContentError } from "./problem.ts";

/** What the interpreter is given for a plugin that runs in the Worker. */
export const EDGE_SOURCE = `from taskweaver.plugin import Plugin, register_plugin


@register_plugin
class EdgePlugin(Plugin):
    def __call__(self, *args, **kwargs):
        return self.ctx.call_edge(self.name, args, kwargs)
`;

/**
 * Finds the TypeScript of edge plugins, checks that each file exports one, and gives the lines that import them as
 * `edge0`, `edge1` and so on. What lies in this repository is built with the Worker; another project's is bundled first.
 */
export async function importEdgePlugins(options: {
  projectPath: string;
  folder: string;
  /** File names, in the order of the plugins. */
  files: string[];
  contractPath: string;
  outFile: string;
  isRepository: boolean;
}): Promise<string[]> {
  const { projectPath, folder, files, contractPath, outFile, isRepository } = options;
  if (files.length === 0) return [];
  const plugins = isRepository
    ? await Promise.all(files.map((file) => load(join(folder, file))))
    : await bundleModules<EdgePlugin>({
        projectPath,
        folder,
        outFile,
        exportName: "plugin",
        modules: files,
        contract: { meant: join(folder, "edge-plugin"), path: contractPath },
      });
  const problems = files
    .filter((_file, index) => typeof plugins[index]?.call !== "function")
    .map((file) => ({
      file: relative(projectPath, join(folder, file)),
      message: "it must export `plugin`, made by defineEdgePlugin({ call })",
    }));
  if (problems.length > 0) throw new ContentError(problems);
  const names = files.map((_file, index) => `edge${index}`);
  if (!isRepository) {
    return [`import { bundled } from "./_edge-plugins.js";`, `const [${names.join(", ")}] = bundled;`];
  }
  return files.map((file, index) => {
    const from = relative(dirname(outFile), join(folder, file));
    return `import { plugin as ${names[index]} } from "${from}";`;
  });
}

async function load(path: string): Promise<EdgePlugin | undefined> {
  return ((await import(pathToFileURL(path).href)) as { plugin?: EdgePlugin }).plugin;
}

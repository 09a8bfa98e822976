import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { environmentName, isSecretKey } from "../../src/config/secrets.ts";
import { pluginSpec, type Plugin } from "../../src/plugins/plugin.ts";
import { EDGE_SOURCE } from "./edge-plugins.ts";
import { ContentError, type Problem } from "./problem.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles } from "./yaml-files.ts";

export interface CompiledPlugins {
  plugins: Plugin[];
  /** The TypeScript files of those that run in the Worker, by their names. */
  edgeFiles: Map<string, string>;
  /** Secret-like configuration values, by their environment name. */
  secrets: Record<string, string>;
  warnings: Problem[];
}

/** The enabled plugins of a folder with the Python beside them. */
export function compilePlugins(projectPath: string, folder: string): CompiledPlugins {
  const byName = new Map<string, Plugin>();
  const edgeFiles = new Map<string, string>();
  const secrets: Record<string, string> = {};
  const warnings: Problem[] = [];
  for (const { path, subPath } of yamlFiles(folder)) {
    if (subPath !== "") continue;
    const source = readYaml(projectPath, path);
    const spec = check(source, pluginSpec);
    if (!spec.enabled) continue;
    const stem = join(dirname(path), spec.code ?? spec.name);
    const [code, script] = [`${stem}.py`, `${stem}.ts`];
    const edge = existsSync(script);
    if (edge === existsSync(code)) {
      const field = spec.code ? "code" : "name";
      const line = source.lineOf([field]);
      const at = { file: source.file, ...(line === undefined ? {} : { line }), field };
      const [py, ts] = [relative(projectPath, code), relative(projectPath, script)];
      const message = edge
        ? `there are ${py} and ${ts}, and it can only be one of them`
        : `its Python file ${py} is not there (nor ${ts}, for one that runs in the Worker)`;
      throw new ContentError([{ ...at, message }]);
    }
    const secretKeys = Object.keys(spec.configurations).filter(isSecretKey);
    const configurations = { ...spec.configurations };
    for (const key of secretKeys) {
      secrets[environmentName(`PLUGIN_${spec.name}_${key}`)] = String(configurations[key]);
      delete configurations[key];
    }
    if (byName.has(spec.name)) {
      warnings.push({
        file: source.file,
        field: "name",
        message: `another plugin is called ${spec.name}; this one wins`,
      });
    }
    const python = edge ? EDGE_SOURCE : readFileSync(code, "utf8");
    edgeFiles.delete(spec.name);
    if (edge) edgeFiles.set(spec.name, basename(script));
    byName.set(spec.name, {
      spec: { ...spec, configurations },
      source: python,
      hash: createHash("sha256")
        .update(JSON.stringify([python, configurations]))
        .digest("hex")
        .slice(0, 16),
      secretKeys,
      ...(edge ? { edge } : {}),
    });
  }
  return { plugins: [...byName.values()], edgeFiles, secrets, warnings };
}

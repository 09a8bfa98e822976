import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { environmentName, isSecretKey } from "../../src/config/secrets.ts";
import { pluginSpec, type Plugin } from "../../src/plugins/plugin.ts";
import { ContentError, type Problem } from "./problem.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles } from "./yaml-files.ts";

export interface CompiledPlugins {
  plugins: Plugin[];
  /** Secret-like configuration values, by their environment name. */
  secrets: Record<string, string>;
  warnings: Problem[];
}

/** The enabled plugins of a folder with the Python beside them. */
export function compilePlugins(projectPath: string, folder: string): CompiledPlugins {
  const byName = new Map<string, Plugin>();
  const secrets: Record<string, string> = {};
  const warnings: Problem[] = [];
  for (const { path, subPath } of yamlFiles(folder)) {
    if (subPath !== "") continue;
    const source = readYaml(projectPath, path);
    const spec = check(source, pluginSpec);
    if (!spec.enabled) continue;
    const code = join(dirname(path), `${spec.code ?? spec.name}.py`);
    if (!existsSync(code)) {
      const field = spec.code ? "code" : "name";
      const line = source.lineOf([field]);
      const at = { file: source.file, ...(line === undefined ? {} : { line }), field };
      throw new ContentError([
        { ...at, message: `its Python file ${relative(projectPath, code)} is not there` },
      ]);
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
    const python = readFileSync(code, "utf8");
    byName.set(spec.name, {
      spec: { ...spec, configurations },
      source: python,
      hash: createHash("sha256")
        .update(JSON.stringify([python, configurations]))
        .digest("hex")
        .slice(0, 16),
      secretKeys,
    });
  }
  return { plugins: [...byName.values()], secrets, warnings };
}

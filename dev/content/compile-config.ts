import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { configKeys, keyAliases } from "../../src/config/keys.ts";
import { whyWithoutEffect, keysWithoutEffect } from "../../src/config/keys-without-effect.ts";
import { environmentName, isSecretKey } from "../../src/config/secrets.ts";
import { nearestName } from "../../src/lib/nearest-name.ts";
import type { Role } from "../../src/roles/role.ts";
import { ContentError, type Problem } from "./problem.ts";
import { check, readYaml } from "./read-yaml.ts";

export const CONFIG_FILE = "taskweaver_config.json";

export interface CompiledConfig {
  /** What goes into the Worker. */
  config: Record<string, unknown>;
  /** What must not, by its environment name: for a local start only. */
  secrets: Record<string, string>;
  warnings: Problem[];
}

/** Checks the project's config key by key and parts it from its secrets. A project without one has the defaults. */
export function compileConfig(projectPath: string, roles: Role[]): CompiledConfig {
  const compiled: CompiledConfig = { config: {}, secrets: {}, warnings: [] };
  const path = join(projectPath, CONFIG_FILE);
  if (!existsSync(path)) return compiled;
  const source = readYaml(projectPath, path);
  const entries = check(source, z.record(z.string(), z.unknown(), "one JSON object of dotted keys"));
  const known = configKeys(roles);
  const aliases = keyAliases(roles);
  const problems: Problem[] = [];

  for (const [given, value] of Object.entries(entries)) {
    if (value === null) continue;
    const key = aliases[given] ?? given;
    const line = source.lineOf([given]);
    const at = { file: source.file, ...(line === undefined ? {} : { line }), field: given };
    const other = entries[key] ?? null;
    if (key !== given && other !== null && other !== value) {
      problems.push({ ...at, message: `it means ${key}, which is set to something else; keep one of them` });
      continue;
    }
    const schema = known[key];
    if (isSecretKey(key)) {
      compiled.secrets[environmentName(key)] = String(value);
    } else if (schema) {
      const parsed = schema.safeParse(value);
      if (parsed.success) compiled.config[key] = value;
      else problems.push(...parsed.error.issues.map(({ message }) => ({ ...at, message })));
    } else if (whyWithoutEffect(key) === undefined) {
      const nearest = nearestName(key, [
        ...Object.keys({ ...known, ...aliases }),
        ...Object.keys(keysWithoutEffect),
      ]);
      compiled.warnings.push({
        ...at,
        message: nearest ? `unknown key; did you mean ${nearest}?` : "unknown key; it has no effect",
      });
    }
  }
  if (problems.length > 0) throw new ContentError(problems);
  return compiled;
}

/** The value that a key has in the compiled config, its default included. */
export function configValue(config: Record<string, unknown>, roles: Role[], key: string): string | undefined {
  const value = configKeys(roles)[key]?.parse(config[key]);
  return typeof value === "string" ? value : undefined;
}

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { ContentError } from "./problem.ts";
import { check, readYaml } from "./read-yaml.ts";

const promptFile = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String), z.null().transform(() => "")]),
);

/** A role's prompt file; where the project has its own, that one's keys replace the role's. */
export function compilePrompt(options: {
  projectPath: string;
  /** The file beside the role. */
  own: string | undefined;
  /** `prompt_file_path` of the config. */
  replacement: string | undefined;
  configKey: string;
}): Record<string, string> | undefined {
  const { projectPath, own, replacement, configKey } = options;
  const prompt =
    own !== undefined && existsSync(own) ? check(readYaml(projectPath, own), promptFile) : undefined;
  if (replacement === undefined) return prompt;
  const path = resolve(projectPath, replacement);
  if (!existsSync(path)) {
    throw new ContentError([
      { file: "taskweaver_config.json", field: configKey, message: `there is no file ${replacement}` },
    ]);
  }
  return { ...prompt, ...check(readYaml(projectPath, path), promptFile) };
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { configKeys, keyAliases } from "../../src/config/keys.ts";
import { aliasKeyName } from "../../src/config/model-keys.ts";
import { environmentName } from "../../src/config/secrets.ts";
import { compressionPrompt, type Content } from "../../src/content/content.ts";
import { mergeRoles } from "../../src/roles/merge-roles.ts";
import { knowledgeName } from "../../src/roles/role.ts";
import { compileConfig, CONFIG_FILE, configValue } from "./compile-config.ts";
import { compileExamples } from "./compile-examples.ts";
import { compileExperiences } from "./compile-experiences.ts";
import { compilePlugins } from "./compile-plugins.ts";
import { compilePrompt } from "./compile-prompts.ts";
import { importEdgePlugins } from "./edge-plugins.ts";
import { bundleProjectRoles, loadOwnRoles, type FoundRole } from "./find-roles.ts";
import { ContentError, type Problem } from "./problem.ts";

export const repositoryPath = resolve(fileURLToPath(import.meta.url), "../../..");
const ownRolesPath = join(repositoryPath, "src/roles");

export interface Compiled {
  /** The module that the Worker imports as `#content`. */
  modulePath: string;
  /** The project's config without its secrets. */
  config: Record<string, unknown>;
  /** The environment names by which its keys can be overridden. */
  variableNames: string[];
  /** By environment name; never in the module. */
  secrets: Record<string, string>;
  warnings: Problem[];
  /** Files that were written because their text changed. */
  written: string[];
}

/** Compiles a project's files into the module that the Worker imports. @throws ContentError and writes nothing then. */
export async function compileContent(options: { projectPath: string; outFolder: string }): Promise<Compiled> {
  const { projectPath, outFolder } = options;
  if (!existsSync(projectPath)) {
    throw new ContentError([{ file: projectPath, message: "there is no such project folder" }]);
  }
  const rolesFile = join(outFolder, "_project-roles.js");
  const ownRoles = await loadOwnRoles(ownRolesPath);
  const projectRoles = await bundleProjectRoles({
    projectPath,
    contractPath: join(ownRolesPath, "role.ts"),
    outFile: rolesFile,
  });
  const found = checkNames(mergeRoles(ownRoles, projectRoles, ({ role }) => role));
  const roles = found.map(({ role }) => role);
  const { config, secrets, warnings } = compileConfig(projectPath, roles);
  const folderOf = (key: string) => resolve(projectPath, configValue(config, roles, key) ?? "");
  const pluginFolder = folderOf("plugin.base_path");
  const plugins = compilePlugins(projectPath, pluginFolder);
  const edgeImports = await importEdgePlugins({
    projectPath,
    folder: pluginFolder,
    files: [...plugins.edgeFiles.values()],
    isRepository: projectPath === repositoryPath,
    contractPath: join(repositoryPath, "src/plugins/edge-plugin.ts"),
    outFile: join(outFolder, "_edge-plugins.js"),
  });

  const content: Content = { config, prompts: {}, examples: {}, experiences: {}, plugins: plugins.plugins };
  // How lessons are drawn from conversations; no role has that name.
  const drawing = compilePrompt({
    projectPath,
    own: join(repositoryPath, "src/experience/prompt.yaml"),
    replacement: configValue(config, roles, "experience.default_exp_prompt_path"),
    configKey: "experience.default_exp_prompt_path",
  });
  if (drawing) content.prompts.experience = drawing;
  const summarising = join(repositoryPath, "src/loop/compression.yaml");
  const everybodys = { projectPath, own: summarising, replacement: undefined, configKey: "" };
  content.prompts[compressionPrompt()] = compilePrompt(everybodys)!;
  for (const { role, folder } of found) {
    const name = knowledgeName(role);
    const configKey = `${name}.compression_prompt_path`;
    const replacement = configValue(config, roles, configKey);
    const summary = replacement && compilePrompt({ projectPath, own: summarising, replacement, configKey });
    if (summary) content.prompts[compressionPrompt(name)] = summary;
    const prompt = compilePrompt({
      projectPath,
      own: join(folder, "prompt.yaml"),
      replacement: configValue(config, roles, `${name}.prompt_file_path`),
      configKey: `${name}.prompt_file_path`,
    });
    if (prompt) content.prompts[name] = prompt;
    const { examples, warnings: strays } = compileExamples(
      projectPath,
      folderOf(`${name}.example_base_path`),
    );
    warnings.push(...strays);
    if (examples.length > 0) content.examples[name] = examples;
    const folderName = configValue(config, roles, `${name}.experience_dir`) ?? "";
    const folderPath = resolve(projectPath, folderName);
    const isWanted =
      config[`${name}.use_experience`] === true && config[`${name}.experience_dir`] !== undefined;
    if (isWanted && !existsSync(folderPath)) {
      const field = `${name}.experience_dir`;
      warnings.push({ file: CONFIG_FILE, field, message: `there is no folder ${folderName}` });
    }
    const experiences = compileExperiences(projectPath, folderPath);
    if (experiences) content.experiences[folderName] = experiences;
  }

  const modelKeyNames = Object.keys(Object(config["ext_llms.llm_configs"])).map(aliasKeyName);
  const modulePath = join(outFolder, "_content.ts");
  const written = writeModule(modulePath, content, {
    roles: projectRoles.length > 0,
    edgePlugins: [...plugins.edgeFiles.keys()],
    edgeImports,
  });
  return {
    modulePath,
    config,
    variableNames: [...Object.keys({ ...configKeys(roles), ...keyAliases(roles) }), ...modelKeyNames].map(
      environmentName,
    ),
    secrets: { ...secrets, ...plugins.secrets },
    warnings: [...warnings, ...plugins.warnings],
    written,
  };
}

function checkNames(found: FoundRole[]): FoundRole[] {
  const problems: Problem[] = [];
  for (const field of ["name", "alias"] as const) {
    const taken = new Map<string, string>();
    for (const { role, folder } of found) {
      const other = taken.get(role[field]);
      const file = relative(repositoryPath, join(folder, "index.ts"));
      if (other) problems.push({ file, field, message: `"${role[field]}" is taken by ${other}` });
      taken.set(role[field], file);
    }
  }
  if (problems.length > 0) throw new ContentError(problems);
  return found;
}

function writeModule(
  path: string,
  content: Content,
  found: { roles: boolean; edgePlugins: string[]; edgeImports: string[] },
): string[] {
  const contract = (name: string) => {
    const from = relative(dirname(path), join(repositoryPath, "src", name));
    return from.startsWith(".") ? from : `./${from}`;
  };
  const text = [
    "// Made from the project's files by `npm run gen`. Do not edit.",
    `import type { Content } from "${contract("content/content.ts")}";`,
    `import type { EdgePlugin } from "${contract("plugins/edge-plugin.ts")}";`,
    `import type { Role } from "${contract("roles/role.ts")}";`,
    ...(found.roles ? [`import { bundled as roles } from "./_project-roles.js";`] : []),
    ...found.edgeImports,
    "",
    `export const content: Content = ${JSON.stringify(content, null, 2)};`,
    "",
    `export const edgePlugins: Record<string, EdgePlugin> = { ${found.edgePlugins.map((name, index) => `${name}: edge${index}`).join(", ")} };`,
    "",
    `export const projectRoles: Role[] = ${found.roles ? "roles" : "[]"};`,
    "",
  ].join("\n");
  return writeIfChanged(path, text) ? [path] : [];
}

/** Leaves a file alone that holds the text already, so that watchers stay asleep. */
export function writeIfChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

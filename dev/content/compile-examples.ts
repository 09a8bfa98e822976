import { exampleFile, toExample, type Example } from "../../src/examples/example.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles } from "./yaml-files.ts";

/** The enabled examples of one role's base folder, those of its sub-folders under their paths. */
export function compileExamples(projectPath: string, folder: string): Example[] {
  return yamlFiles(folder).flatMap(({ path, name, subPath }) => {
    const file = check(readYaml(projectPath, path), exampleFile);
    return file.enabled ? [toExample(file, name.replace(/\.ya?ml$/, ""), subPath)] : [];
  });
}

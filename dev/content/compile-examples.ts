import { exampleFile, toExample, type Example } from "../../src/examples/example.ts";
import type { Problem } from "./problem.ts";
import { check, readYaml, type SourceFile } from "./read-yaml.ts";
import { yamlFiles } from "./yaml-files.ts";

export interface CompiledExamples {
  examples: Example[];
  warnings: Problem[];
}

/** The enabled examples of one role's base folder in the order of their names, those of its sub-folders under their paths. */
export function compileExamples(projectPath: string, folder: string): CompiledExamples {
  const compiled: CompiledExamples = { examples: [], warnings: [] };
  for (const { path, name, subPath } of yamlFiles(folder)) {
    const source = readYaml(projectPath, path);
    const file = check(source, exampleFile);
    if (!file.enabled) continue;
    const example = toExample(file, name.replace(/\.ya?ml$/, ""), subPath);
    compiled.examples.push(example);
    compiled.warnings.push(...strayQueries(source, example));
  }
  return compiled;
}

/** A round begins with its request; where the first message says something else, one of the two was likely forgotten. */
function strayQueries(source: SourceFile, { rounds }: Example): Problem[] {
  return rounds.flatMap(({ userQuery, posts: [first] }, index) => {
    if (!first || first.message.trim() === userQuery.trim()) return [];
    const field = `rounds[${index}].post_list[0].message`;
    const line = source.lineOf(["rounds", index, "post_list", 0, "message"]);
    const at = { file: source.file, ...(line === undefined ? {} : { line }), field };
    return [{ ...at, message: "the first message differs from the round's user_query" }];
  });
}

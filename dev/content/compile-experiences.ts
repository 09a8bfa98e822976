import {
  experienceFile,
  rawExperienceFile,
  type CompiledExperience,
} from "../../src/experience/experience.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles } from "./yaml-files.ts";

/** The lessons of one role's base folder. Ids may hold underscores: all that follows the prefix is the id. */
export function compileExperiences(projectPath: string, folder: string): CompiledExperience[] {
  return yamlFiles(folder).flatMap(({ path, name, subPath }): CompiledExperience[] => {
    const [, prefix, fileId] = /^(handcrafted_exp|raw_exp|exp)_(.+)\.ya?ml$/.exec(name) ?? [];
    if (prefix === undefined || fileId === undefined) return [];
    const source = readYaml(projectPath, path);
    if (prefix === "raw_exp") {
      const conversation = check(source, rawExperienceFile);
      return [{ id: fileId, kind: "raw", subPath, text: "", conversation }];
    }
    const handcrafted = prefix === "handcrafted_exp";
    const file = check(source, experienceFile);
    return [
      { id: file.exp_id, kind: handcrafted ? "handcrafted" : "learned", subPath, text: file.experience_text },
    ];
  });
}

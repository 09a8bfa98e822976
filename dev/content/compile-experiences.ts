import { createHash } from "node:crypto";
import { experienceFile, rawExperienceFile, type CompiledFolder } from "../../src/experience/experience.ts";
import { lessonsOfFiles, parseFileName, type ExperienceFile } from "../../src/experience/experience-files.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles, type FoundFile } from "./yaml-files.ts";

/** The lessons of one base folder and its sub-folders; undefined when there are none. */
export function compileExperiences(projectPath: string, folder: string): CompiledFolder | undefined {
  const found = yamlFiles(folder).flatMap((file) => readLesson(projectPath, file));
  if (found.length === 0) return undefined;
  const lessons = JSON.stringify(lessonsOfFiles(found));
  const hash = createHash("sha256").update(lessons).digest("hex").slice(0, 16);
  const subPaths = [...new Set(found.map(({ subPath }) => subPath))].filter((subPath) => subPath !== "");
  return { hash, subPaths: subPaths.toSorted(), lessons };
}

function readLesson(projectPath: string, { path, name, subPath }: FoundFile): ExperienceFile[] {
  const parsed = parseFileName(name);
  if (!parsed) return [];
  const { kind, id } = parsed;
  const source = readYaml(projectPath, path);
  if (kind === "raw_exp") {
    return [{ kind, id, subPath, text: "", conversation: check(source, rawExperienceFile) }];
  }
  const { exp_id, experience_text: text } = check(source, experienceFile);
  return [{ kind, id: exp_id, subPath, text }];
}

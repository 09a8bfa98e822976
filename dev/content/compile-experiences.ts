import { createHash } from "node:crypto";
import {
  experienceFile,
  rawExperienceFile,
  type CompiledExperience,
  type CompiledFolder,
} from "../../src/experience/experience.ts";
import { check, readYaml } from "./read-yaml.ts";
import { yamlFiles, type FoundFile } from "./yaml-files.ts";

type Kind = "handcrafted_exp" | "exp" | "raw_exp";
type FoundLesson = CompiledExperience & { kind: Kind };

/** The lessons of one base folder and its sub-folders; undefined when there are none. */
export function compileExperiences(projectPath: string, folder: string): CompiledFolder | undefined {
  const found = yamlFiles(folder).flatMap((file) => readLesson(projectPath, file));
  if (found.length === 0) return undefined;
  const byName = Map.groupBy(found, ({ subPath, id }) => `${subPath}/${id}`);
  const lessons = JSON.stringify([...byName.values()].map(mergeFiles));
  const hash = createHash("sha256").update(lessons).digest("hex").slice(0, 16);
  const subPaths = [...new Set(found.map(({ subPath }) => subPath))].filter((subPath) => subPath !== "");
  return { hash, subPaths: subPaths.toSorted(), lessons };
}

/** Ids may hold underscores: all that follows the prefix is the id, unless the file says another one. */
function readLesson(projectPath: string, { path, name, subPath }: FoundFile): FoundLesson[] {
  const [, kind, fileId] = /^(handcrafted_exp|raw_exp|exp)_(.+)\.ya?ml$/.exec(name) ?? [];
  if (kind === undefined || fileId === undefined) return [];
  const source = readYaml(projectPath, path);
  if (kind === "raw_exp") {
    return [{ kind, id: fileId, subPath, text: "", conversation: check(source, rawExperienceFile) }];
  }
  const { exp_id: id, experience_text: text } = check(source, experienceFile);
  return [{ kind: kind as Kind, id, subPath, text }];
}

/**
 * The files of one lesson: `exp_` is what was made of one of the others. What somebody wrote by hand counts as it stands
 * now; what was drawn from a conversation needn't be drawn again.
 */
function mergeFiles(files: FoundLesson[]): CompiledExperience {
  const ofKind = (kind: Kind) => files.findLast((file) => file.kind === kind);
  const { id, subPath } = files[0]!;
  const text = (ofKind("handcrafted_exp") ?? ofKind("exp"))?.text ?? "";
  const conversation = ofKind("raw_exp")?.conversation;
  return { id, subPath, text, ...(conversation ? { conversation } : {}) };
}

import { parse, stringify } from "yaml";
import type * as z from "zod";
import {
  experienceFile,
  rawExperienceFile,
  type CompiledExperience,
  type Experience,
  type RawConversation,
} from "./experience.ts";
import { lessonsOfFiles, parseFileName, type ExperienceFile } from "./experience-files.ts";

/** A file in TaskWeaver's format, with its path below the base folder of its role. */
export interface YamlFile {
  role: string | null;
  path: string;
  content: string;
}

/** The files of a lesson: what TaskWeaver would read, and what `readExperienceFiles` makes the same lesson of. */
export function writeExperienceFiles(
  lesson: Pick<Experience, "role" | "subPath" | "expId" | "kind" | "text"> & { raw: RawConversation | null },
): YamlFile[] {
  const { role, subPath, expId, kind, text, raw } = lesson;
  const file = (prefix: string, content: unknown): YamlFile => ({
    role,
    path: `${subPath === "" ? "" : `${subPath}/`}${prefix}_${expId}.yaml`,
    content: stringify(content),
  });
  const files: YamlFile[] = [];
  if (raw) files.push(file("raw_exp", raw));
  const fields = { exp_id: expId, experience_text: text };
  if (text !== "" && kind === "handcrafted") files.push(file("handcrafted_exp", fields));
  // These very fields, or TaskWeaver refuses the file; without a vector it makes one.
  if (text !== "" && kind === "learned")
    files.push(file("exp", { ...fields, raw_experience_path: null, embedding_model: null, embedding: [] }));
  return files;
}

/** A file that can't be taken, and why. */
export class ExperienceFileError extends Error {
  readonly code = "invalid_experience_file";
}

/** The lessons of files. Those whose names are no lesson's are passed over. @throws ExperienceFileError */
export function readExperienceFiles(files: YamlFile[]): (CompiledExperience & { role: string | null })[] {
  const byRole = Map.groupBy(files, ({ role }) => role);
  return [...byRole].flatMap(([role, ofRole]) =>
    lessonsOfFiles(ofRole.flatMap(readFile)).map((lesson) => ({ ...lesson, role })),
  );
}

function readFile({ path, content }: YamlFile): ExperienceFile[] {
  const slash = path.lastIndexOf("/");
  const subPath = path.slice(0, Math.max(0, slash));
  const named = parseFileName(path.slice(slash + 1));
  if (!named) return [];
  const { kind, id } = named;
  if (kind === "raw_exp") {
    return [{ kind, id, subPath, text: "", conversation: check(path, content, rawExperienceFile) }];
  }
  const { exp_id, experience_text: text } = check(path, content, experienceFile);
  return [{ kind, id: exp_id, subPath, text }];
}

function check<Schema extends z.ZodType>(path: string, content: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = parse(content);
  } catch (error) {
    throw new ExperienceFileError(`${path}: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ExperienceFileError(`${path}: ${issue!.path.join(".")}: ${issue!.message}`);
}

import type { CompiledExperience, RawConversation } from "./experience.ts";

export type ExperienceFileKind = "handcrafted_exp" | "exp" | "raw_exp";

/** What one file says of a lesson. */
export interface ExperienceFile {
  kind: ExperienceFileKind;
  id: string;
  subPath: string;
  text: string;
  conversation?: RawConversation;
}

/** What a file's name says; undefined for a file that is no lesson's. Ids may hold underscores. */
export function parseFileName(name: string): { kind: ExperienceFileKind; id: string } | undefined {
  const [, kind, id] = /^(handcrafted_exp|raw_exp|exp)_(.+)\.ya?ml$/.exec(name) ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as ExperienceFileKind, id };
}

/**
 * The lessons of a folder's files, in the files' order. `exp_` is what was made of one of the others: what somebody
 * wrote by hand counts as it stands now; what was drawn from a conversation needn't be drawn again.
 */
export function lessonsOfFiles(files: ExperienceFile[]): CompiledExperience[] {
  const byName = Map.groupBy(files, ({ subPath, id }) => `${subPath}/${id}`);
  return [...byName.values()].map((ofLesson) => {
    const ofKind = (kind: ExperienceFileKind) => ofLesson.findLast((file) => file.kind === kind);
    const { id, subPath } = ofLesson[0]!;
    const handcrafted = ofKind("handcrafted_exp");
    const conversation = ofKind("raw_exp")?.conversation;
    return {
      id,
      kind: handcrafted ? "handcrafted" : "learned",
      subPath,
      text: (handcrafted ?? ofKind("exp"))?.text ?? "",
      ...(conversation ? { conversation } : {}),
    };
  });
}

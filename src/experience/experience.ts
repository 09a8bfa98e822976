import * as z from "zod";

/** `handcrafted_exp_<id>.yaml`, a lesson that somebody wrote, and `exp_<id>.yaml`, one with its embedding. */
export const experienceFile = z.object({
  exp_id: z.union([z.string(), z.number()]).transform(String),
  experience_text: z.string().min(1),
  raw_experience_path: z.string().nullish(),
  embedding_model: z.string().nullish(),
  embedding: z.array(z.number()).nullish(),
});

/** `raw_exp_<id>.yaml`: a saved conversation that a lesson is drawn from. */
export const rawExperienceFile = z.looseObject({
  rounds: z.array(z.record(z.string(), z.unknown())).min(1),
});

export type RawConversation = z.infer<typeof rawExperienceFile>;

/** A lesson as its files have it. */
export interface CompiledExperience {
  /** Unique in its folder. */
  id: string;
  kind: "handcrafted" | "learned";
  subPath: string;
  /** Empty when it has still to be drawn from the conversation. */
  text: string;
  conversation?: RawConversation;
}

/** The lessons of a folder of the project. */
export interface CompiledFolder {
  /** Of all that is in it: another content is another hash. */
  hash: string;
  /** The folders below it that hold lessons. */
  subPaths: string[];
  /** The lessons as JSON: read when they are first wanted, so that thousands don't slow the Worker's start. */
  lessons: string;
}

/** What a lesson is to whoever edits it. */
export interface Experience {
  id: string;
  /** False for those of the project's files, which are everybody's to see and nobody's to change. */
  isOwn: boolean;
  /** Names its files. */
  expId: string;
  /** Whose knowledge it is filed under; null is every role's. */
  role: string | null;
  subPath: string;
  kind: "handcrafted" | "learned";
  text: string;
  /**
   * `pending` and `failed` ones have no text yet: it is drawn from a conversation in the background. A `merged` one
   * turned out to say what another one says already, and is not used.
   */
  state: "ready" | "pending" | "failed" | "merged";
  error: string | null;
  /** The lesson that says the same. */
  mergedInto: string | null;
  /** Where it was learned. */
  sessionId: string | null;
  createdAt: number;
  updatedAt: number;
}

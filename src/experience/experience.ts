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
export const rawExperienceFile = z.object({ rounds: z.array(z.record(z.string(), z.unknown())).min(1) });

/** A lesson as it is compiled into the Worker. */
export interface CompiledExperience {
  id: string;
  kind: "handcrafted" | "learned" | "raw";
  subPath: string;
  /** Empty for a raw one: its lesson has still to be drawn. */
  text: string;
  conversation?: Record<string, unknown>;
}

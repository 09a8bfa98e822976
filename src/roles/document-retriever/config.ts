import * as z from "zod";

export const documentRetrieverConfig = z.object({
  /** Snippets that are read for one question. */
  size: z.int().min(1).max(50).default(5),
  /** Tokens that a snippet is grown to by what stands around it. */
  target_length: z.int().min(20).max(4000).default(256),
  /** How near to the question a passage must be. */
  threshold: z.number().min(-1).max(1).default(0.2),
  /** Whether the role's model answers from what was found; else the snippets themselves are handed over, as TaskWeaver does. */
  answer: z.boolean().default(true),
});
export type DocumentRetrieverConfig = z.infer<typeof documentRetrieverConfig>;

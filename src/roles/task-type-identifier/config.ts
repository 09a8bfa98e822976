import * as z from "zod";
import { isSubPath } from "../../lib/sub-path.ts";

const taskType = z
  .string()
  .min(1)
  .refine(isSubPath, "the name of a folder: no `..`, no leading slash, no backslash");

const pattern = z.string().refine((text) => {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    // A SyntaxError: no regular expression.
    return false;
  }
}, "not a regular expression");

export const taskTypeConfig = z.object({
  /** Regular expression to task type; the first that fits the message, or the User's request, decides. */
  patterns: z.record(pattern, taskType).default({}),
  /** Task type to what it is, for the model to decide where no pattern fits. */
  task_types: z.record(taskType, z.string()).default({}),
});
export type TaskTypeConfig = z.infer<typeof taskTypeConfig>;

import * as z from "zod";

/** A list, also in TaskWeaver's comma separated form. */
const names = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
]);

/** Keys under `code_interpreter.` */
export const codeInterpreterConfig = z.object({
  max_retry_count: z.int().min(0).max(20).default(3),
  /** Seconds that one piece of code may run. */
  timeout: z.number().positive().max(600).default(60),
  /** Left open, code is verified by our own lists; `true` means TaskWeaver's. */
  code_verification_on: z.boolean().optional(),
  allowed_modules: names.optional(),
  blocked_modules: names.optional(),
  allowed_functions: names.optional(),
  blocked_functions: names.optional(),
  allowed_variables: names.optional(),
});

/** Keys under `code_generator.` */
export const codeGeneratorConfig = z.object({
  role_name: z.string().default("ProgramApe"),
  load_plugin: z.boolean().default(true),
  /** Tells the model only of the plugins nearest to the instruction, and of those in use. */
  enable_auto_plugin_selection: z.boolean().default(false),
  auto_plugin_selection_topk: z.int().min(1).default(3),
});

export type CodeInterpreterConfig = z.infer<typeof codeInterpreterConfig> &
  z.infer<typeof codeGeneratorConfig>;

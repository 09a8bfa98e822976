import type { Example } from "../examples/example.ts";
import type { CompiledFolder } from "../experience/experience.ts";
import type { Plugin } from "../plugins/plugin.ts";

/** The name under which the prompt for summaries is compiled: a role's own, or everybody's. No role has such a name. */
export const compressionPrompt = (role = ""): string => `compression/${role}`;

/** A project's files, checked and compiled into the Worker: nothing is read or parsed in a request. */
export interface Content {
  /** taskweaver_config.json without its secrets. */
  config: Record<string, unknown>;
  /** By the name under which a role's knowledge is configured (`planner`, `code_generator`, a custom role's name). */
  prompts: Record<string, Record<string, string>>;
  examples: Record<string, Example[]>;
  /** By the folder as it is configured: roles that share a folder share its lessons. */
  experiences: Record<string, CompiledFolder>;
  plugins: Plugin[];
}

import type { Turn } from "./role.ts";

/** The safety rules of a prompt: nothing where `prompts.safety_rules` is off, or a prompt file has left them empty. */
export function safetySection({ prompt }: Pick<Turn, "prompt">): string[] {
  const rules = prompt.safety_rules ?? "";
  return rules.trim() === "" ? [] : [rules];
}

import { fillTemplate } from "../lib/fill-template.ts";
import type { Turn } from "./role.ts";

/** What a prompt says of the rounds that it no longer shows: nothing when it shows all. */
export function summarySection({ prompt, memory }: Pick<Turn, "prompt" | "memory">): string[] {
  if (memory.summary === undefined) return [];
  return [fillTemplate(prompt.summary_head ?? "{SUMMARY}", { SUMMARY: memory.summary })];
}

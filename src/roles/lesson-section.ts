import type { Lesson } from "../experience/lessons.ts";
import { fillTemplate } from "../lib/fill-template.ts";
import type { Turn } from "./role.ts";

const SEPARATOR = "---";

/** What a prompt says of lessons, best first: nothing when there are none. TaskWeaver's prompts call them `experiences`. */
export function lessonSection(turn: Pick<Turn, "prompt">, lessons: Lesson[]): string[] {
  if (lessons.length === 0) return [];
  const list = lessons.map(({ text }) => `${SEPARATOR}\n${text.trim()}`).join("\n");
  return [
    fillTemplate(turn.prompt.experience_instruction ?? "{EXPERIENCE}", {
      EXPERIENCE: list,
      experiences: list,
    }),
  ];
}

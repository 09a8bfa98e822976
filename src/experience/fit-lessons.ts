import { estimateTokens } from "../lib/estimate-tokens.ts";
import type { Lesson } from "./lessons.ts";

export interface LessonLimits {
  /** Undefined leaves it to where the lessons come from, see `fitLessons`. */
  threshold: number | undefined;
  topK: number;
  maxTokens: number;
}

/** As TaskWeaver has it. */
const DEFAULT_THRESHOLD = 0.2;

/**
 * The lessons that are shown, best first: near enough, not too many, within the budget. One that is too long for what is
 * left of the budget is passed over for a shorter one.
 *
 * In a folder that somebody chose, nearness doesn't decide whether a lesson is shown unless the threshold is configured:
 * a folder is chosen because the query (a task's number, say) doesn't tell which lessons are to the point.
 */
export function fitLessons(found: Lesson[], limits: LessonLimits, isFolderChosen: boolean): Lesson[] {
  const threshold = limits.threshold ?? (isFolderChosen ? -Infinity : DEFAULT_THRESHOLD);
  const shown: Lesson[] = [];
  let left = limits.maxTokens;
  for (const lesson of found) {
    const tokens = estimateTokens(lesson.text);
    if (shown.length === limits.topK) break;
    if (lesson.score < threshold || tokens > left || shown.some(({ text }) => text === lesson.text)) continue;
    shown.push(lesson);
    left -= tokens;
  }
  return shown;
}

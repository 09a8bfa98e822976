import { arithmetic } from "./arithmetic.ts";
import { dates } from "./dates.ts";
import { numberList } from "./number-list.ts";
import { textStatistics } from "./text-statistics.ts";
import { wholeNumbers } from "./whole-numbers.ts";
import type { Topic, Work } from "./work.ts";

/** In the order in which they are asked: a date such as 2024-01-15 would else be read as a subtraction. */
const TOPICS: Topic[] = [textStatistics, dates, wholeNumbers, arithmetic, numberList];

/** The work that a question without a file asks for. */
export function findWork(text: string): Work | undefined {
  for (const topic of TOPICS) {
    const work = topic(text);
    if (work) return work;
  }
  return undefined;
}

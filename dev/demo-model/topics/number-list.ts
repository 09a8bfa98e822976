import { lines } from "../python-literal.ts";
import type { Work } from "./work.ts";

const FIGURES = {
  mean: /\b(?:mean|average|avg)\b/,
  median: /\bmedian\b/,
  stdev: /\b(?:standard deviation|stdev)\b/,
  sum: /\b(?:sum|total|add)\b/,
  min: /\b(?:min|minimum|smallest|lowest)\b/,
  max: /\b(?:max|maximum|largest|highest|biggest)\b/,
  sorted: /\bsort(?:ed)?\b/,
};

const CODE = {
  mean: "statistics.fmean(numbers)",
  median: "statistics.median(numbers)",
  stdev: "statistics.stdev(numbers)",
  sum: "sum(numbers)",
  min: "min(numbers)",
  max: "max(numbers)",
  sorted: "*sorted(numbers)",
};

/** "Mean of 3, 5 and 8": figures over numbers that stand in the question itself. */
export function numberList(text: string): Work | undefined {
  const list = /-?\d+(?:\.\d+)?(?:\s*(?:,\s*and|,|and|\s)\s*-?\d+(?:\.\d+)?){1,199}/.exec(text)?.[0];
  if (!list || text.replace(list, "").match(/\d/)) return undefined;
  const around = text.replace(list, " ").toLowerCase();
  if (around.split(/\s+/).length > 14) return undefined;
  const figures = (Object.keys(FIGURES) as (keyof typeof FIGURES)[]).filter((name) =>
    FIGURES[name].test(around),
  );
  if (figures.length === 0) return undefined;
  const numbers = (list.match(/-?\d+(?:\.\d+)?/g) ?? [])
    .map((number) => number.replace(/^(-?)0+(?=\d)/, "$1"))
    .join(", ");
  return {
    instruction: `Work out the ${figures.join(" and ")} of the numbers ${numbers}.`,
    python: lines(
      "import statistics",
      "",
      `numbers = [${numbers}]`,
      ...figures.map((name) => `print("${name}:", ${CODE[name]})`),
    ),
  };
}

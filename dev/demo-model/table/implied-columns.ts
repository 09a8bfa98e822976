import type { Names } from "./question-parts.ts";
import { stems } from "./words.ts";

/** Words such as "oldest" speak of a column without naming it; these are the parts of its name, by the stand-in's. */
const IMPLIED: Record<string, RegExp> = {
  price_of: /^(?:price|cost)$/,
  age_of: /^age$/,
  salary_of: /^(?:salary|wage|pay|income|earning)$/,
  temperature_of: /^(?:temp|temperature)$/,
};

/** Puts the mark of the column that the table has in the place of each stand-in. */
export function fillImpliedColumns(text: string, names: Names): string {
  const filled = text.replace(/\b(?:price|age|salary|temperature)_of\b/g, (word) => {
    const column = names.known.find(
      ({ type, name }) => type === "number" && stems(name).some((part) => IMPLIED[word]?.test(part)),
    );
    return column ? `§c${names.marked.columns.push(column.name) - 1}` : word;
  });
  // Without an age the oldest is the one with the first date; other words go back to what a column might be called.
  return filled
    .replace(/\bmax age_of\b/g, "earliest")
    .replace(/\bmin age_of\b/g, "latest")
    .replace(/\b(price|age|salary|temperature)_of\b/g, "$1");
}

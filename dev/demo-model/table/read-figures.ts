import {
  asks,
  asksFigures,
  columnsOf,
  likelyMeasure,
  misses,
  soldColumn,
  unknownWord,
  type Clause,
} from "./clause.ts";
import type { Reading } from "./parse.ts";
import { groupOf, isAdditive, typeOf } from "./question-parts.ts";

const FOLLOW_UP = /^(?:and|what about|how about|same|now|also|but)\b/;

/** "And by product?", "what about the median?": the question before with something changed. */
export function readFollowUp({
  original,
  text,
  previous,
  found,
  by,
  where,
  names,
  ...rest
}: Clause): Reading | undefined {
  if (!FOLLOW_UP.test(original) || previous?.ask !== "figures" || found.measures.length > 0) return undefined;
  if (/\b(?:rows|show|list)\b/.test(text)) return undefined;
  const clause = { original, text, found, by, where, names, ...rest };
  const before = previous.measures.find((measure) => measure.figure !== "count");
  const values = columnsOf(clause, "number");
  const groups = columnsOf(clause, "other").map((column) => groupOf(names, column));
  const unknown = unknownWord(text);
  if (unknown) return misses(unknown);
  let measures = previous.measures;
  if (found.without.length > 0 && before)
    measures = found.without.map((figure) => ({ figure, column: before.column }));
  else if (values.length > 0)
    measures = values.map((column) => ({ figure: before?.figure ?? "sum", column }));
  return asks({
    ...previous,
    measures,
    by: [by, groups, previous.by].find((some) => some.length > 0) ?? [],
    where: where.length > 0 ? where : previous.where,
  });
}

/** Figures that are named: "mean and median price", "total units by region", "how many different products". */
export function readFigures(clause: Clause): Reading | undefined {
  const { found, names, text } = clause;
  if (found.missing !== undefined) return misses(found.missing);
  const column = found.bare[0];
  if (column && /\brange\b/.test(text)) {
    const ends =
      typeOf(names, column) === "date" ? (["earliest", "latest"] as const) : (["min", "max"] as const);
    return asksFigures(
      clause,
      ends.map((figure) => ({ figure, column })),
    );
  }
  // "Max mean price": the first figure only says which of the second ones is wanted.
  const ranks = /\b(max|min) (?:of |the )*(?:mean|sum|median)\b/.exec(text)?.[1];
  const measures = found.measures.filter((measure) => measure.figure !== ranks);
  if (measures.length > 0) return asksFigures(clause, measures);

  const figure = found.without[0];
  if (!figure) return undefined;
  // A figure of nothing in particular: there may be only one column that it can be of.
  const numbers = names.known.filter((each) => each.type === "number");
  const only = numbers.length === 1 ? numbers[0]?.name : undefined;
  return only ? asksFigures(clause, [{ figure, column: only }]) : misses();
}

/** "How many units" adds them up, "how many products" counts the different ones, everything else counts rows. */
export function readHowMany(clause: Clause): Reading | undefined {
  const { text, found, names } = clause;
  if (!/\bhow (?:many|much)\b/.test(text)) return undefined;
  const column = found.bare[0] ?? (/\b(?:sells?|sold)\b/.test(text) ? soldColumn(names) : undefined);
  const type = column === undefined ? undefined : typeOf(names, column);
  if (!column && text.includes("how much")) return misses(unknownWord(text));
  const counts = !column || type === "date";
  return asksFigures(clause, [
    counts ? { figure: "count" } : { figure: type === "number" ? "sum" : "distinct", column },
  ]);
}

/** Only columns are named: "sales by region", "sales in 2024", "compare North and South sales". */
export function readImplied(clause: Clause): Reading | undefined {
  const { text, by, where, ordering, names, found } = clause;
  const values = columnsOf(clause, "number");
  if (by.length > 0) {
    if (values.length === 0 && !/\b(?:rows|count)\b/.test(text)) return misses(unknownWord(text));
    return asksFigures(clause, values.length > 0 ? values.map(likelyMeasure) : [{ figure: "count" }]);
  }
  const value = values[0];
  if (!value) return undefined;
  const compared = where.find((condition) => "values" in condition && condition.values.length > 1);
  if (compared && /\b(?:compare|comparison|difference)\b/.test(text)) {
    return asksFigures({ ...clause, by: [groupOf(names, compared.column)] }, [likelyMeasure(value)]);
  }
  const wantsRows =
    /\b(?:show|list|display|print|rows?|find|sorted|all)\b/.test(text) || ordering.limit || ordering.sort;
  return isAdditive(value) && found.bare.length === 1 && !wantsRows
    ? asksFigures(clause, [likelyMeasure(value)])
    : undefined;
}

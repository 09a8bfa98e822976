import { asks, asksFigures, misses, soldColumn, unknownWord, type Clause } from "./clause.ts";
import type { Reading } from "./parse.ts";
import { groupOf, isAdditive, typeOf } from "./question-parts.ts";

/** "Which region has the highest sales", "top 5 products by units", "the 3 highest prices", "who has the lowest age". */
export function readWinner(clause: Clause): Reading | undefined {
  const { text, columns, ordering, names, where } = clause;
  if (!clause.asksWinner || clause.by.length > 0 || names.known.length === 0) return undefined;
  const order = ordering.order ?? (/\bmin\b/.test(text) ? "rising" : "falling");
  const limit = ordering.limit ?? 1;
  const sold = /\bsold\b/.test(text);
  const group = columns.find((column) => typeOf(names, column) !== "number");
  const value =
    columns.find((column) => typeOf(names, column) === "number") ?? (sold ? soldColumn(names) : undefined);

  const asksGroup = /\b(?:which|what|who|whose|find|show|list|ranked|sold)\b|\b(?:max|min) §c\d+ §c/.test(
    text,
  );
  if (group && asksGroup) {
    const figure = /\b(?:mean|median|sum)\b/.exec(text)?.[0] as "mean" | undefined;
    const ranked = { ...clause, by: [groupOf(names, group)], ordering: { order, limit } };
    if (value) {
      const extreme = order === "falling" ? "max" : "min";
      return asksFigures(ranked, [
        { figure: figure ?? (isAdditive(value) ? "sum" : extreme), column: value },
      ]);
    }
    const unknown = unknownWord(text);
    return figure || unknown || sold ? misses(unknown) : asksFigures(ranked, [{ figure: "count" }]);
  }
  const asksRow =
    ordering.limit !== undefined ||
    /\b(?:max|min) §c\d+ rows?\b/.test(text) ||
    /\b(?:who|row|record|entry|whose)\b/.test(text);
  if (value && asksRow)
    return asks({ ask: "rows", columns: [], sort: { column: value, order }, limit, where });
  return undefined;
}

/** "Who was hired first", "which order came last": by the date that is named. */
export function readFirstOrLast({ text, columns, names, where }: Clause): Reading | undefined {
  const found = /\b(?:who|which|what)\b.*\b(first|last)\b/.exec(text)?.[1];
  const date = columns.find((column) => typeOf(names, column) === "date");
  if (!found || !date) return undefined;
  const order = found === "first" ? "rising" : "falling";
  return asks({ ask: "rows", columns: [], sort: { column: date, order }, limit: 1, where });
}

/** "The most common product", "3 most frequent cities". */
export function readMostCommon(clause: Clause): Reading | undefined {
  const found = /\b(?:(\d+) )?most_common\b/.exec(clause.text);
  const column = clause.columns[0];
  if (!found || !column) return undefined;
  const limit = clause.ordering.limit ?? Number(found[1] ?? 1);
  return asksFigures(
    { ...clause, by: [groupOf(clause.names, column)], ordering: { order: "falling", limit } },
    [{ figure: "count" }],
  );
}

import type { Reading } from "./parse.ts";
import type { Condition, Grouping, Measure, Period, TableQuestion } from "./question.ts";
import {
  columnAt,
  cutGroups,
  cutOrdering,
  isAdditive,
  readMeasures,
  typeOf,
  type Names,
  type Ordering,
} from "./question-parts.ts";
import { isFamiliar, stems } from "./words.ts";

/** One clause of a request, taken apart; the readers below decide what it asks. */
export interface Clause {
  /** As it was before groups and order were taken out. */
  original: string;
  text: string;
  where: Condition[];
  by: Grouping[];
  ordering: Ordering;
  /** Every column in the text, in order. */
  columns: string[];
  found: ReturnType<typeof readMeasures>;
  names: Names;
  /** The question before, which "it" and "what about …" speak of. */
  previous?: TableQuestion;
  /** "Which …" with the most or the least of something. */
  asksWinner: boolean;
}

/** Reads one kind of question out of a clause; undefined when it is of another kind. */
export type ClauseReader = (clause: Clause) => Reading | undefined;

export interface ClauseText {
  text: string;
  where: Condition[];
  names: Names;
  previous?: TableQuestion;
}

/** Takes a clause apart, or says which column it is missing. */
export function takeApart({ text, where, names, previous }: ClauseText): Clause | { missing: string } {
  const { text: unordered, ordering } = cutOrdering(text, names);
  const asksWinner =
    /\b(?:which|what|who|whose|where|find|the)\b.*\b(?:max|min)\b|\branked\b|\b(?:max|min) (?:sold|§c\d+ (?:rows?|§c\d+))\b/.test(
      unordered,
    );
  const ranked = unordered.includes("ranked") || ordering.order !== undefined;
  const groups = cutGroups(unordered, names, { ranked });
  if (groups.missing !== undefined) return { missing: groups.missing };
  const found = readMeasures(groups.text, names);
  const common = {
    original: text,
    text: groups.text,
    where,
    names,
    previous,
    asksWinner,
    columns: [...new Set((groups.text.match(/§c\d+/g) ?? []).map((mark) => columnAt(names, mark.slice(2))))],
  };
  const period = asksWinner && groups.by.length === 0 ? periodAsked(groups.text, names) : undefined;
  if (!period) return { ...common, by: groups.by, ordering, found };
  const order = ordering.order ?? (/\bmin\b/.test(groups.text) ? "rising" : "falling");
  return {
    ...common,
    by: [period],
    ordering: { ...ordering, order, limit: ordering.limit ?? 1 },
    found: { ...found, measures: found.measures.map(addedUp) },
  };
}

export function asks(question: TableQuestion): Reading {
  return { kind: "questions", questions: [question] };
}

export function misses(word = ""): Reading {
  return { kind: "missing", word };
}

/** Figures of a clause; an order or a limit only mean something between groups. */
export function asksFigures({ by, where, ordering }: Clause, measures: Measure[]): Reading {
  const order = ordering.order ?? ordering.sort?.order;
  const { limit } = ordering;
  const grouped = by.length > 0;
  return asks({
    ask: "figures",
    measures,
    by,
    where,
    ...(grouped && order && { order }),
    ...(grouped && limit && { limit }),
  });
}

/** The figure that is meant when none is named. */
export function likelyMeasure(column: string): Measure {
  return { figure: isAdditive(column) ? "sum" : "mean", column };
}

export function columnsOf(clause: Clause, kind: "number" | "other"): string[] {
  return clause.found.bare.filter(
    (column) => (typeOf(clause.names, column) === "number") === (kind === "number"),
  );
}

const SOLD = /^(?:unit|sale|quantity|qty|revenue|amount|sold|turnover)$/;

/** The column that tells how much was sold. */
export function soldColumn({ known }: Names): string | undefined {
  return known.find(
    (column) => column.type === "number" && stems(column.name).some((part) => SOLD.test(part)),
  )?.name;
}

/** The first word that neither the grammar nor the table knows. */
export function unknownWord(text: string): string | undefined {
  for (const [word] of text.matchAll(/(?<![§\p{L}])\p{L}[\p{L}_]*/gu)) {
    if (!isFamiliar(word)) return word;
  }
  return undefined;
}

/** "Which month": the group is a period of the table's date. */
function periodAsked(text: string, { known }: Names): Grouping | undefined {
  const period = /\b(?:which|what) (year|quarter|month|weekday|day)\b/.exec(text)?.[1] as Period | undefined;
  const date = known.find((column) => column.type === "date");
  return period && date && { column: date.name, period };
}

/** "Which month had the highest sales" adds up the sales of each month. */
function addedUp(measure: Measure): Measure {
  const isRank = measure.figure === "max" || measure.figure === "min";
  return isRank && isAdditive(measure.column) ? { figure: "sum", column: measure.column } : measure;
}

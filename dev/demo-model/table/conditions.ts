import type { MarkedText } from "./marked-text.ts";
import type { Comparison, Condition } from "./question.ts";
import type { Column } from "./table.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const MONTH = MONTHS.map((name) =>
  name === "may" ? "may" : `${name.slice(0, 3)}(?:${name.slice(3)})?`,
).join("|");

const LEAD = String.raw`(?:(?:,|only|for which|that|which|whose|who|where|with|when|if|and|having|have|has|had|for|in|of|from|but) )*(?:the |a |an )*`;
const C = String.raw`§c(\d+)(?: (?:column|value|values))?`;
const IS = String.raw`(?: (?:is|are|was|were|has|have|had|of|being))?`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const MARKED = String.raw`§[qv]\d+`;
const COMPARE = "(over|under|at_least|at_most)";
/** A bare word is taken for a value only directly behind "is", and not when it belongs to the grammar. */
const WORD = String.raw`(?!(?:the|a|an|max|min|mean|sum|median|stdev|count|not|by|over|under|at_least|at_most|between|blank|there|in|distinct|in|sorted|to|per|of|top|used|shown|sold|it|they|this|that|he|she|we|you|i)\b)[\p{L}][\p{L}\p{N}_-]*`;

export interface CutConditions {
  text: string;
  where: Condition[];
  /** What the question says and these rules can't do. */
  unclear?: string;
}

/** Takes the conditions out of a question; what remains says what is asked of the rows that meet them. */
export function cutConditions(text: string, marked: MarkedText, known: Column[]): CutConditions {
  const found: Condition[][] = [];
  const column = (index: string | undefined) => marked.columns[Number(index)] ?? "";
  const value = (words = "") => {
    const mark = /^§([qv])(\d+)$/.exec(words);
    if (!mark) return words;
    return (mark[1] === "q" ? marked.quotes[Number(mark[2])] : marked.values[Number(mark[2])]?.value) ?? "";
  };
  let rest = text;
  const cut = (
    pattern: string,
    make: (groups: (string | undefined)[]) => Condition | Condition[] | undefined,
  ) => {
    rest = rest.replace(
      new RegExp(LEAD + pattern, "gu"),
      (whole: string, ...details: (string | undefined)[]) => {
        // Behind the groups, `replace` hands over the offset and the whole text.
        const made = make(details.slice(0, -2));
        return made ? ` §w${found.push([made].flat()) - 1} ` : whole;
      },
    );
  };
  /** A known value says itself which column it is of. */
  const isAbout = (name: string, list: string) =>
    [...list.matchAll(/§v(\d+)/g)].every((mark) => marked.values[Number(mark[1])]?.column === name);
  const compare = (
    name: string,
    test: string | undefined,
    operand: string | undefined,
  ): Condition | undefined => {
    const operandValue = value(operand);
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(operandValue);
    if (isDay && known.find((each) => each.name === name)?.type === "number") return undefined;
    if (!isDay && !Number.isFinite(Number(operandValue || Number.NaN))) return undefined;
    return { column: name, test: (test ?? "").replace("_", " ") as Comparison, value: operandValue };
  };
  const between = (name: string, low: string | undefined, high: string | undefined) => {
    const ends = [compare(name, "at_least", low), compare(name, "at_most", high)];
    return ends[0] && ends[1] ? [ends[0], ends[1]] : undefined;
  };

  // Value lists as the planner writes them come first: their commas and "and" belong to them alone.
  cut(`${C} is (1|one|none) of (${MARKED}(?: ?,? (?:or |and )?${MARKED})*)`, ([name, kind, list]) => ({
    column: column(name),
    test: kind === "none" ? "is none of" : "is one of",
    values: (list?.match(/§[qv]\d+/g) ?? []).map(value),
  }));
  cut(`${C} is_in (§q\\d+)`, ([name, operand]) => ({
    column: column(name),
    test: "is in",
    value: value(operand),
  }));
  const limits = `(${DATE}|${NUMBER}|${MARKED})`;
  cut(`${C}${IS} between ${limits} and ${limits}`, ([name, low, high]) => between(column(name), low, high));
  cut(`${C}${IS} ${COMPARE} ${limits}`, ([name, test, limit]) => compare(column(name), test, limit));
  cut(`${COMPARE} (${NUMBER}) ${C}`, ([test, limit, name]) => compare(column(name), test, limit));
  cut(`${C}${IS} (not )?blank`, ([name, not]) => ({
    column: column(name),
    test: not ? "is not blank" : "is blank",
  }));
  cut(`(?:blank|without(?: an?| the)?|no) ${C}`, ([name]) => ({ column: column(name), test: "is blank" }));
  cut(`${C} (contains|starts_with) (?:the )?(${MARKED}|${WORD}|${NUMBER})`, ([name, test, operand]) => ({
    column: column(name),
    test: test === "contains" ? "contains" : "starts with",
    value: value(operand),
  }));
  cut(
    `${C} (?:is|are|was|were)( not)?(?: in)? ((?:${MARKED}|${DATE}|${NUMBER}|${WORD})(?: ?(?:,|or|and|, or) (?:${MARKED}|${NUMBER}(?! ?§)))*)`,
    ([name, not, list = ""]) =>
      isAbout(column(name), list)
        ? {
            column: column(name),
            test: not ? "is none of" : "is one of",
            values: list
              .split(/ ?(?:, or|,|\bor\b|\band\b) ?/)
              .filter(Boolean)
              .map(value),
          }
        : undefined,
  );
  // "§c §q": a column directly followed by a quoted value.
  cut(`${C} (${MARKED})`, ([name, operand = ""]) =>
    isAbout(column(name), operand)
      ? { column: column(name), test: "is one of", values: [value(operand)] }
      : undefined,
  );
  const except =
    "(?:(not|is not|excluding|except(?: for)?|without|other than) )?(?:in |for |from |of |the )*";
  const byOwnColumn = ([not, list, name]: (string | undefined)[]): Condition[] | undefined => {
    const entries = (list?.match(/§v\d+/g) ?? []).flatMap(
      (mark) => marked.values[Number(mark.slice(2))] ?? [],
    );
    const owners = Map.groupBy(entries, (entry) => entry.column);
    // "Widget units": a column behind a value belongs to it only when it is the value's own ("North region").
    if (name !== undefined && !owners.has(column(name))) return undefined;
    return [...owners].map(([owner, entriesOfOwner]) => ({
      column: owner,
      test: not ? "is none of" : "is one of",
      values: [...new Set(entriesOfOwner.map((entry) => entry.value))],
    }));
  };
  const list = String.raw`(§v\d+(?: ?(?:,|and|or|, and|by) §v\d+)*)`;
  cut(`${except}${list} ${C}`, byOwnColumn);
  cut(`${except}${list}`, byOwnColumn);
  cutTimes(known, { cut, compare, between });

  const where = [...rest.matchAll(/§w(\d+)/g)].flatMap((mark) => found[Number(mark[1])] ?? []);
  const joinedByOr = /§w\d+\s+or\b/.test(rest);
  const sameColumn = new Set(where.map((condition) => condition.column)).size === 1;
  return {
    text: rest.replace(/§w\d+/g, " ").replace(/\s+/g, " ").trim(),
    where: joinedByOr && sameColumn ? mergeAlternatives(where) : where,
    ...(joinedByOr && !(sameColumn && where.every((each) => each.test === "is one of")) && { unclear: "or" }),
  };
}

type Cut = (
  pattern: string,
  make: (groups: (string | undefined)[]) => Condition | Condition[] | undefined,
) => void;
type Compare = (name: string, test?: string, operand?: string) => Condition | undefined;

/** "In 2024", "in March", "since 2024-02-01": about the table's first date, or its column that holds years. */
function cutTimes(
  known: Column[],
  {
    cut,
    compare,
    between,
  }: {
    cut: Cut;
    compare: Compare;
    between: (name: string, low?: string, high?: string) => Condition[] | undefined;
  },
): void {
  const date = known.find((column) => column.type === "date")?.name;
  const year = known.find((column) => column.type === "number" && /^(?:year|jahr)$/i.test(column.name))?.name;
  if (date) {
    cut(`between (${DATE}) and (${DATE})`, ([low, high]) => between(date, low, high));
    cut(`from (${DATE}) (?:to|at_most) (${DATE})`, ([low, high]) => between(date, low, high));
    cut(`${COMPARE} (${DATE})`, ([test, day]) => compare(date, test, day));
    cut(`(?:on |at )?(${DATE})`, ([day]) => ({ column: date, test: "is in", value: day ?? "" }));
    cut(
      String.raw`(?:in |during |for |of |on )?(${MONTH}),? (?:of )?((?:19|20)\d{2})\b`,
      ([month, number]) => ({
        column: date,
        test: "is in",
        value: `${number}-${monthNumber(month)}`,
      }),
    );
    cut(String.raw`(?:in |during |for |of |on )(?:the month of )?(${MONTH})\b`, ([month]) => ({
      column: date,
      test: "is in",
      value: `-${monthNumber(month)}-`,
    }));
    cut(String.raw`(over|under|at_least|at_most) (?:the year )?((?:19|20)\d{2})\b(?!-)`, ([test, number]) =>
      compare(date, test, `${number}-${test === "over" || test === "at_most" ? "12-31" : "01-01"}`),
    );
    cut(String.raw`(?:in |during |for |of |from |the |year )+((?:19|20)\d{2})\b(?!-)`, ([number]) => ({
      column: date,
      test: "is in",
      value: number ?? "",
    }));
  } else if (year) {
    cut(String.raw`(over|under|at_least|at_most) ((?:19|20)\d{2})\b`, ([test, number]) =>
      compare(year, test, number),
    );
    cut(String.raw`(?:in |during |for |of |from |the |year )+((?:19|20)\d{2})\b`, ([number]) => ({
      column: year,
      test: "is one of",
      values: [number ?? ""],
    }));
  }
}

function monthNumber(name = ""): string {
  return String(MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1).padStart(2, "0");
}

function mergeAlternatives(where: Condition[]): Condition[] {
  const first = where[0];
  if (!first || first.test !== "is one of") return where;
  return [
    { ...first, values: where.flatMap((condition) => ("values" in condition ? condition.values : [])) },
  ];
}

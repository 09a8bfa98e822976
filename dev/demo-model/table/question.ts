import { pythonString as quote } from "../python-literal.ts";

export const FIGURES = [
  "mean",
  "sum",
  "median",
  "min",
  "max",
  "stdev",
  "distinct",
  "earliest",
  "latest",
] as const;
export type Figure = (typeof FIGURES)[number];
export const PERIODS = ["year", "quarter", "month", "day", "weekday"] as const;
export type Period = (typeof PERIODS)[number];
export type Order = "rising" | "falling";

/** A figure over a column; `count` is the number of rows. */
export type Measure = { figure: Figure; column: string } | { figure: "count" };

export interface Grouping {
  column: string;
  period?: Period;
}

export const COMPARISONS = ["over", "under", "at least", "at most"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Condition =
  | { column: string; test: "is one of" | "is none of"; values: string[] }
  | { column: string; test: Comparison | "contains" | "starts with" | "is in"; value: string }
  | { column: string; test: "is blank" | "is not blank" };

/** What is asked of one table. */
export type TableQuestion = { where: Condition[] } & (
  | { ask: "figures"; measures: Measure[]; by: Grouping[]; order?: Order; limit?: number }
  | {
      ask: "chart";
      shape: "bar" | "line";
      measure: Measure;
      by: Grouping;
      order?: Order;
      limit?: number;
      file?: string;
    }
  | { ask: "rows"; columns: string[]; sort?: { column: string; order: Order }; limit?: number; end?: boolean }
  | { ask: "distinct"; column: string }
  | { ask: "correlation"; columns: [string, string] }
  | { ask: "summary" }
  | { ask: "columns" }
);

/** The question as a sentence for the CodeInterpreter, which its parser reads back as the same question. */
export function describeQuestion(question: TableQuestion): string {
  return `${wording(question, (name) => `the column ${quote(name)}`, quote)}.`;
}

/** The same in fewer words, for titles and plans. */
export function nameQuestion(question: TableQuestion): string {
  // "is North" reads better than "is one of North"; this is only worded, never run.
  const where = question.where.map((condition) =>
    "values" in condition && condition.values.length === 1
      ? { ...condition, test: condition.test === "is one of" ? "is" : "is not" }
      : condition,
  );
  const text = wording(
    { ...question, where } as TableQuestion,
    (name) => name,
    (value) => value,
  );
  return text
    .replace(/^(?:compute|show) (?:the )?/i, "")
    .replace(/^first 1 rows/, "first row")
    .replace(/^./, (letter) => letter.toLowerCase());
}

export function nameMeasure(measure: Measure): string {
  return measureWords(measure, (name) => name);
}

type Write = (text: string) => string;

function wording(question: TableQuestion, column: Write, value: Write): string {
  const where = conditionWords(question.where, column, value);
  switch (question.ask) {
    case "figures": {
      const measures = question.measures
        .map((measure) => `the ${measureWords(measure, column)}`)
        .join(" and ");
      return `Compute ${measures}${groupWords(question.by, column)}${where}${orderWords(question)}`;
    }
    case "chart": {
      const measure = measureWords(question.measure, column);
      return `Draw a ${question.shape} chart of the ${measure}${groupWords([question.by], column)}${where}${orderWords(question)}${question.file ? `, into the file ${value(question.file)}` : ""}`;
    }
    case "rows": {
      const columns =
        question.columns.length > 0 ? `, with only ${question.columns.map(column).join(" and ")}` : "";
      const sort = question.sort
        ? `, sorted by ${column(question.sort.column)} from ${DIRECTION[question.sort.order]}`
        : "";
      const which = question.limit ? `${question.end ? "last" : "first"} ${question.limit} ` : "";
      return `Show the ${which}rows${columns}${where}${sort}`;
    }
    case "distinct":
      return `List the distinct values of ${column(question.column)}${where}`;
    case "correlation":
      return `Compute the correlation between ${question.columns.map(column).join(" and ")}${where}`;
    case "summary":
      return `Compute the summary of every column${where}`;
    case "columns":
      return "Show the columns";
  }
}

const DIRECTION = { rising: "low to high", falling: "high to low" };

function measureWords(measure: Measure, column: Write): string {
  if (measure.figure === "count") return "number of rows";
  const figure = measure.figure === "distinct" ? "number of distinct values" : measure.figure;
  return `${figure} of ${column(measure.column)}`;
}

function groupWords(by: Grouping[], column: Write): string {
  return by
    .map((group) => ` by ${group.period ? `the ${group.period} of ` : ""}${column(group.column)}`)
    .join(" and");
}

function orderWords({ order, limit }: { order?: Order; limit?: number }): string {
  return `${order ? `, sorted from ${DIRECTION[order]}` : ""}${limit ? `, top ${limit}` : ""}`;
}

function conditionWords(conditions: Condition[], column: Write, value: Write): string {
  if (conditions.length === 0) return "";
  return `, where ${conditions
    .map((condition) => {
      const subject = column(condition.column);
      if ("values" in condition)
        return `${subject} ${condition.test} ${condition.values.map(value).join(", ")}`;
      if (!("value" in condition)) return `${subject} ${condition.test}`;
      const verb = (COMPARISONS as readonly string[]).includes(condition.test) ? "is " : "";
      return `${subject} ${verb}${condition.test} ${value(condition.value)}`;
    })
    .join(" and ")}`;
}

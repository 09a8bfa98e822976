import { lines, pythonList, pythonString } from "../python-literal.ts";
import { nameMeasure, nameQuestion, type Grouping, type Measure, type TableQuestion } from "./question.ts";

type Figures = Extract<TableQuestion, { ask: "figures" }>;

/** Figures over all of the rows, one line each. */
export function figuresPython(question: Figures): string {
  return lines(
    ...question.measures.map((measure) => {
      const title = nameQuestion({ ...question, measures: [measure] });
      return `print(${pythonString(`${title}:`)}, show(${measurePython(measure, "rows")}))`;
    }),
  );
}

/** Figures for each group, one line a group. */
export function groupsPython({ measures, by, order, limit }: Figures, title: string): string {
  const winner = order && limit === 1;
  return lines(
    groupingPython(by),
    "table = [",
    `    (name, [${measures.map((measure) => measurePython(measure, "group")).join(", ")}])`,
    "    for name, group in sorted(groups.items(), key=lambda item: group_order(item[0]))",
    "]",
    order && orderPython(order),
    // The first place may have to be shared.
    winner && "table = [line for line in table if line[1][0] == table[0][1][0]]",
    limit !== undefined && !winner && `table = table[:${limit}]`,
    `print(${pythonString(title)})`,
    "for name, values in table:",
    measures.length > 1
      ? `    print("-", name + ":", ", ".join(f"{label} {show(value)}" for label, value in zip(${pythonList(measures.map(nameMeasure))}, values)))`
      : '    print("-", name + ":", show(values[0]))',
    "if not table:",
    '    print("no rows")',
  );
}

/** Puts the rows into `groups`, by the name of the group. */
export function groupingPython(by: Grouping[]): string {
  return lines(
    "groups = {}",
    "for row in rows:",
    `    name = ${by.map(keyPython).join(' + ", " + ')}`,
    "    groups.setdefault(name, []).append(row)",
    "",
  );
}

export function orderPython(order: "rising" | "falling"): string {
  return lines(
    "table = [line for line in table if line[1][0] is not None]",
    `table.sort(key=lambda line: line[1][0]${order === "falling" ? ", reverse=True" : ""})`,
  );
}

/** What a measure is worth over some rows, as a Python expression. */
export function measurePython(measure: Measure, rows: string): string {
  if (measure.figure === "count") return `len(${rows})`;
  const column = pythonString(measure.column);
  switch (measure.figure) {
    case "distinct":
      return `len({cell for row in ${rows} if (cell := row[${column}].strip())})`;
    case "earliest":
      return `days(min, ${rows}, ${column})`;
    case "latest":
      return `days(max, ${rows}, ${column})`;
    case "mean":
      return `numbers(statistics.fmean, ${rows}, ${column})`;
    case "median":
    case "stdev":
      return `numbers(statistics.${measure.figure}, ${rows}, ${column})`;
    case "sum":
      return `numbers(math.fsum, ${rows}, ${column})`;
    case "min":
    case "max":
      return `numbers(${measure.figure}, ${rows}, ${column})`;
  }
}

function keyPython(by: Grouping): string {
  const column = pythonString(by.column);
  return by.period ? `period(day(row, ${column}), "${by.period}")` : `(row[${column}].strip() or "(blank)")`;
}

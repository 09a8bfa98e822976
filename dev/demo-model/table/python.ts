import { lines, pythonString } from "../python-literal.ts";
import { chartPython } from "./chart-python.ts";
import { conditionPython } from "./condition-python.ts";
import { figuresPython, groupsPython } from "./figures-python.ts";
import { helpersFor, importsFor } from "./python-helpers.ts";
import { nameQuestion, type TableQuestion } from "./question.ts";
import {
  columnsPython,
  correlationPython,
  distinctPython,
  rowsPython,
  summaryPython,
} from "./rows-python.ts";

export interface WritingOptions {
  /** Read "1,234" as a number and leave out what is none, instead of trusting every cell to be a plain number. */
  tolerant: boolean;
}

/** The program that answers questions about a table that is already loaded. */
export function questionsPython(
  file: string,
  questions: TableQuestion[],
  { tolerant }: WritingOptions,
): string {
  const parts = questions.map((question, index) =>
    lines(index > 0 && "", filterPython(question, index), bodyPython(question)),
  );
  // A summary has to look into every column, so it never trusts the cells.
  const forgiving = tolerant || questions.some((question) => question.ask === "summary");
  const helpers = helpersFor(parts.join("\n"), { tolerant: forgiving });
  const imports = importsFor(lines(helpers, ...parts));
  return lines(
    ...imports,
    imports.length > 0 && "",
    `rows = every_row = tables[${pythonString(file)}]["rows"]`,
    helpers,
    ...parts,
    tolerant && helpers.includes("left_out") && LEFT_OUT,
  );
}

function filterPython({ where }: TableQuestion, index: number): string | false {
  if (where.length === 0) return index > 0 && "rows = every_row";
  const tests = where.map(conditionPython).join("\n    and ");
  return lines("rows = [", "    row", "    for row in every_row", `    if ${tests}`, "]");
}

const LEFT_OUT = `if left_out:
    print("left out as not a number:", len(left_out), "cells, such as", ", ".join(map(repr, sorted(set(left_out.values()))[:5])))`;

function bodyPython(question: TableQuestion): string {
  const title = `${nameQuestion(question)}:`;
  switch (question.ask) {
    case "figures":
      return question.by.length > 0 ? groupsPython(question, title) : figuresPython(question);
    case "chart":
      return chartPython(question);
    case "rows":
      return rowsPython(question, title);
    case "distinct":
      return distinctPython(question.column, title);
    case "correlation":
      return correlationPython(question.columns, title);
    case "summary":
      return summaryPython(question.where.length > 0 ? title : "summary:");
    case "columns":
      return columnsPython();
  }
}

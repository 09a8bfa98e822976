import { pythonString } from "../python-literal.ts";
import type { Condition } from "./question.ts";

const SIGNS = { over: ">", under: "<", "at least": ">=", "at most": "<=" };

/** Whether a `row` meets the condition, as a Python expression. */
export function conditionPython(condition: Condition): string {
  const column = pythonString(condition.column);
  switch (condition.test) {
    case "is one of":
      return `(${condition.values.map((value) => `same(row[${column}], ${pythonString(value)})`).join(" or ")})`;
    case "is none of":
      return `not (${condition.values.map((value) => `same(row[${column}], ${pythonString(value)})`).join(" or ")})`;
    case "is blank":
      return `not row[${column}].strip()`;
    case "is not blank":
      return `row[${column}].strip()`;
    case "contains":
      return `${pythonString(condition.value.toLowerCase())} in row[${column}].lower()`;
    case "starts with":
      return `row[${column}].strip().lower().startswith(${pythonString(condition.value.toLowerCase())})`;
    case "is in":
      return `${pythonString(condition.value)} in str(day(row, ${column}))`;
    default: {
      const sign = SIGNS[condition.test];
      if (/^\d{4}-\d{2}-\d{2}$/.test(condition.value)) {
        return `((found := day(row, ${column})) is not None and found ${sign} date.fromisoformat("${condition.value}"))`;
      }
      return `((value := number(row, ${column})) is not None and value ${sign} ${Number(condition.value)})`;
    }
  }
}

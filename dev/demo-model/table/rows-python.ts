import { lines, pythonList, pythonString } from "../python-literal.ts";
import type { TableQuestion } from "./question.ts";

type Rows = Extract<TableQuestion, { ask: "rows" }>;

/** The rows themselves, in aligned columns. */
export function rowsPython({ sort, limit, end, columns }: Rows, title: string): string {
  return lines(
    sort &&
      `rows = sorted_rows(rows, ${pythonString(sort.column)}, reverse=${sort.order === "falling" ? "True" : "False"})`,
    columns.length > 0 &&
      `rows = [{column: row[column] for column in ${pythonList(columns)}} for row in rows]`,
    `print(${pythonString(title)})`,
    limit !== undefined && `rows = rows[${end ? `-${limit}:` : `:${limit}`}]`,
    "shown = rows[:50]",
    "wide = {column: max(len(column), *(len(row[column]) for row in shown)) for column in shown[0]} if shown else {}",
    'print(" | ".join(column.ljust(wide[column]) for column in wide) or "no rows")',
    "for row in shown:",
    '    print(" | ".join(" ".join(row[column].split()).ljust(wide[column]) for column in wide).rstrip())',
    "if len(rows) > len(shown):",
    '    print("and", len(rows) - len(shown), "more")',
  );
}

export function distinctPython(column: string, title: string): string {
  return lines(
    `values = Counter(cell for row in rows if (cell := row[${pythonString(column)}].strip()))`,
    `print(${pythonString(title)}, len(values))`,
    "for value, count in list(values.items())[:100]:",
    '    print("-", value, f"({count} rows)" if count > 1 else "")',
    "if len(values) > 100:",
    '    print("and", len(values) - 100, "more")',
  );
}

export function correlationPython([first, second]: [string, string], title: string): string {
  return lines(
    "pairs = [",
    "    (one, two)",
    "    for row in rows",
    `    if (one := number(row, ${pythonString(first)})) is not None`,
    `    and (two := number(row, ${pythonString(second)})) is not None`,
    "]",
    "try:",
    `    print(${pythonString(title)}, show(statistics.correlation(*zip(*pairs))), f"({len(pairs)} pairs)")`,
    "except (statistics.StatisticsError, TypeError):",
    `    print(${pythonString(title)}, "it needs at least two rows with numbers that differ")`,
  );
}

export function summaryPython(title: string): string {
  return `print(${pythonString(title)}, len(rows), "rows")
for column in rows[0] if rows else []:
    cells = [cell for row in rows if (cell := row[column].strip())]
    values = [value for row in rows if (value := number(row, column)) is not None]
    blank = f", {len(rows) - len(cells)} blank" if len(cells) < len(rows) else ""
    if kind_of(cells) == "number":
        print(f"- {column}: {len(values)} numbers, mean {show(statistics.fmean(values))},",
              f"median {show(statistics.median(values))}, min {show(min(values))}, max {show(max(values))}{blank}")
    elif kind_of(cells) == "date":
        print(f"- {column}: dates from {show(days(min, rows, column))} to {show(days(max, rows, column))}{blank}")
    else:
        common = "".join(f", most often {cell} ({count})" for cell, count in Counter(cells).most_common(1))
        print(f"- {column}: {len(set(cells))} different{common}{blank}")`;
}

export function columnsPython(): string {
  return lines(
    'print("rows:", len(rows))',
    'print("columns:", len(rows[0]) if rows else 0)',
    "for column in rows[0] if rows else []:",
    '    print("-", column)',
  );
}

/** Small Python functions that the programs call; a program gets those that it uses, and what these use. */
const HELPERS: Record<string, string> = {
  number: `def number(row, column):
    """The cell as a number, None when it is blank."""
    cell = row[column].strip()
    return float(cell) if cell and cell.lower() != "nan" else None`,

  numbers: `def numbers(work, rows, column):
    values = [value for row in rows if (value := number(row, column)) is not None]
    if not values:
        return None
    try:
        return work(values)
    except statistics.StatisticsError:
        return None  # too few for this figure`,

  days: `def days(work, rows, column):
    return work((found for row in rows if (found := day(row, column))), default=None)`,

  day: `date_formats = {}


def day(row, column):
    """The cell as a date, None when it is none."""
    if column not in date_formats:
        date_formats[column] = find_date_format([row[column] for row in every_row]) or "ISO"
    return to_date(row[column], date_formats[column])`,

  period: `def period(day, unit):
    if day is None:
        return "(blank)"
    return {
        "year": f"{day:%Y}",
        "quarter": f"{day:%Y}-Q{(day.month + 2) // 3}",
        "month": f"{day:%Y-%m}",
        "day": str(day),
        "weekday": f"{day:%A}",
    }[unit]`,

  group_order: `WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def group_order(name):
    """Numbers by size, weekdays as they come in a week, everything else by the alphabet."""
    if name in WEEKDAYS:
        return 0, WEEKDAYS.index(name), name
    try:
        return 0, float(name), name
    except ValueError:
        return 1, 0, name.casefold()`,

  sorted_rows: `def sorted_rows(rows, column, reverse):
    """By number, day or word, as the column has it; rows without a value come last."""
    kind = kind_of([cell for row in every_row if (cell := row[column].strip())])
    words = lambda row, column: row[column].strip().casefold() or None
    read = {"number": number, "date": day}.get(kind, words)
    known = [row for row in rows if read(row, column) is not None]
    unknown = [row for row in rows if read(row, column) is None]
    return sorted(known, key=lambda row: read(row, column), reverse=reverse) + unknown`,

  same: `def same(cell, value):
    """Whether a cell holds this value: as text, or as a number written in another way."""
    if cell.strip().casefold() == value.casefold():
        return True
    try:
        return float(cell.replace(",", "")) == float(value)
    except ValueError:
        return False`,

  show: `def show(value):
    """A figure for people: at most four decimals, small ones with four significant digits."""
    if value is None:
        return "no value"
    if not isinstance(value, float):
        return str(value)
    if 0 < abs(value) < 0.001:
        return f"{value:.4g}"
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")`,
};

/** Takes the place of `number` once plain reading has failed. */
const TOLERANT_NUMBER = `left_out = {}
decimal_commas = {}


def number(row, column):
    """The cell as a number, also with units or separators; None when it is blank or no number."""
    cell = row[column].strip()
    if not cell or cell.lower() == "nan":
        return None
    if column not in decimal_commas:
        decimal_commas[column] = any(re.search(r"\\d,(\\d{1,2}|\\d{4,})\\D*$", row[column]) for row in every_row)
    text = re.sub(r"[\\s'’$€£¥%]", "", cell)
    text = re.sub(r"^\\((.+)\\)$", r"-\\1", text)
    if decimal_commas[column]:
        text = text.replace(".", "").replace(",", ".") if "," in text else text
    else:
        text = text.replace(",", "")
    try:
        return float(text)
    except ValueError:
        left_out[id(row), column] = cell
        return None`;

/** The definitions that a program needs in front of it. */
export function helpersFor(program: string, { tolerant }: { tolerant: boolean }): string {
  const code = (name: string) => (name === "number" && tolerant ? TOLERANT_NUMBER : (HELPERS[name] ?? ""));
  const needed = new Set<string>();
  const visit = (text: string) => {
    for (const name of Object.keys(HELPERS)) {
      if (needed.has(name) || !calls(text, name)) continue;
      needed.add(name);
      visit(code(name));
    }
  };
  visit(program);
  return Object.keys(HELPERS)
    .filter((name) => needed.has(name))
    .map((name) => `\n\n${code(name)}\n`)
    .join("");
}

function calls(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\(|: ${name}\\b`).test(text);
}

const IMPORTS: [uses: string, line: string][] = [
  ["math.", "import math"],
  ["re.", "import re"],
  ["statistics.", "import statistics"],
  ["Counter(", "from collections import Counter"],
  ["date.fromisoformat", "from datetime import date"],
  ["escape(", "from html import escape"],
  ["Path(", "from pathlib import Path"],
];

export function importsFor(program: string): string[] {
  return IMPORTS.filter(([uses]) => program.includes(uses)).map(([, line]) => line);
}

import { lines, pythonList, pythonString } from "../python-literal.ts";

/** What the CodeInterpreter is asked for before anything is known of a file. */
export function describeLoading(files: string[]): string {
  return `Load ${files.map((file) => `the file ${pythonString(file)}`).join(" and ")} and show its columns.`;
}

/** The files that such a sentence names; undefined when it is another one. */
export function parseLoading(text: string): string[] | undefined {
  if (!/^\s*load the file "/i.test(text)) return undefined;
  const literals = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return literals.map((literal) => JSON.parse(literal) as string);
}

/** Reads the files into `tables` and prints what `readTables` reads back. */
export function loadingPython(files: string[]): string {
  return lines(
    READ_TABLE,
    "try:",
    "    tables",
    "except NameError:",
    "    tables = {}",
    "",
    `for file in ${pythonList(files)}:`,
    "    columns, rows = read_table(file)",
    '    tables[file] = {"columns": columns, "rows": rows}',
    '    print(f"Table {quoted(file)}: {len(rows)} rows, {len(columns)} columns")',
    "    for column in columns:",
    "        cells = [cell for row in rows if (cell := row[column].strip())]",
    '        blanks = f", {len(rows) - len(cells)} blank" if len(cells) < len(rows) else ""',
    '        print(f"- {quoted(column)}: {describe_cells(cells, blanks)}")',
  );
}

/**
 * Loads without telling about it, in front of a program whose variables were lost with the interpreter's memory.
 */
export function reloadingPython(file: string): string {
  return lines(
    READ_TABLE,
    "tables = {}",
    `columns, rows = read_table(${pythonString(file)})`,
    `tables[${pythonString(file)}] = {"columns": columns, "rows": rows}`,
    "",
  );
}

// The delimiter is found by parsing: csv.Sniffer takes letters for delimiters in small files.
const READ_TABLE = `import csv
import io
import json
import re
from datetime import datetime
from pathlib import Path

DATE_FORMATS = ["ISO", "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%Y-%m", "%d %b %Y", "%d %B %Y",
                "%b %d, %Y", "%B %d, %Y", "%Y/%m/%d %H:%M", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M"]
NUMBER = re.compile(r"[-+(]?\\s*[$€£]?\\s*[-+]?\\d[\\d.,'\\s]*([eE][-+]?\\d+)?\\s*[%€$£]?\\)?")


def read_text(file):
    data = Path(file).read_bytes()
    if data[:2] in (b"\\xff\\xfe", b"\\xfe\\xff"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_lines(text, delimiter):
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [line for line in lines if any(cell.strip() for cell in line)]


def find_delimiter(text):
    """The one under which most of the first lines are as wide as the header."""

    def fit(delimiter):
        lines = read_lines(text[:50_000], delimiter)[:100]
        width = len(lines[0]) if lines else 0
        return width > 1, sum(len(line) == width for line in lines), width

    return max(",;\\t|", key=fit)


def read_table(file):
    text = read_text(file)
    lines = read_lines(text, find_delimiter(text))
    if not lines:
        raise ValueError(f"{file} holds no table: it is empty")
    columns = []
    for position, cell in enumerate(lines[0], start=1):
        column = " ".join(cell.split()) or f"column {position}"
        columns.append(f"{column} ({position})" if column in columns else column)
    blanks = [""] * len(columns)
    return columns, [dict(zip(columns, line + blanks)) for line in lines[1:]]


def to_date(cell, date_format):
    try:
        if date_format == "ISO":
            return datetime.fromisoformat(cell.strip()).date()
        return datetime.strptime(cell.strip(), date_format).date()
    except ValueError:
        return None


def find_date_format(cells):
    """The format that most of the cells have; None when fewer than half are dates."""
    cells = [cell for cell in cells if cell.strip()][:300]
    fits = {form: sum(to_date(cell, form) is not None for cell in cells) for form in DATE_FORMATS}
    best = max(fits, key=fits.get)
    return best if fits[best] * 2 > len(cells) else None


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def kind_of(cells):
    """What most of the cells are: number, date or text."""
    if cells and all(re.fullmatch(r"[-+]?\\d+([.,]\\d+)?", cell) for cell in cells):
        return "number"
    if cells and find_date_format(cells):
        return "date"
    return "number" if sum(NUMBER.fullmatch(cell) is not None for cell in cells) * 2 > len(cells) else "text"


def describe_cells(cells, blanks):
    kind = kind_of(cells)
    if kind == "number":
        return kind + blanks
    if kind == "date":
        date_format = find_date_format(cells)
        found = [day for cell in cells if (day := to_date(cell, date_format))]
        return f"date, {min(found)} to {max(found)}{blanks}"
    different = list(dict.fromkeys(cells))
    if len(different) <= 12 and all(len(cell) <= 40 for cell in different):
        return f"text{blanks}, {len(different)} different: {', '.join(map(quoted, different))}"
    return f"text{blanks}, {len(different)} different"

`;

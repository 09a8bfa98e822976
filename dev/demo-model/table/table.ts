export interface Column {
  name: string;
  type: "text" | "number" | "date";
  /** All of its values, when they are few and short. */
  values: string[];
  /** First and last day of a date column. */
  range?: { first: string; last: string };
}

/** What is known of a file after it was loaded. */
export interface Table {
  file: string;
  rows: number;
  columns: Column[];
}

/** Reads back what the loading program printed; tables of which nothing was printed are not there. */
export function readTables(output: string): Table[] {
  const tables: Table[] = [];
  for (const line of output.split("\n")) {
    const heading = /^Table ("(?:[^"\\]|\\.)*"): (\d+) rows, \d+ columns$/.exec(line.trimEnd());
    const name = heading ? readString(heading[1]) : undefined;
    if (heading && name !== undefined) {
      tables.push({ file: name, rows: Number(heading[2]), columns: [] });
      continue;
    }
    const column = readColumn(line);
    if (column) tables.at(-1)?.columns.push(column);
  }
  return tables.filter((table) => table.columns.length > 0);
}

function readColumn(line: string): Column | undefined {
  const found = /^- ("(?:[^"\\]|\\.)*"): (text|number|date)(.*)$/.exec(line.trimEnd());
  const name = found ? readString(found[1]) : undefined;
  if (!found || name === undefined) return undefined;
  const rest = found[3] ?? "";
  const range = /, (\d{4}-\d{2}-\d{2}) to (\d{4}-\d{2}-\d{2})/.exec(rest);
  const listed = / different: (.*)$/.exec(rest)?.[1] ?? "";
  return {
    name,
    type: found[2] as Column["type"],
    values: (listed.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((value) => readString(value) ?? ""),
    ...(range?.[1] && range[2] && { range: { first: range[1], last: range[2] } }),
  };
}

function readString(literal = ""): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined; // A line of a program that only looks like ours.
  }
}

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { repositoryPath } from "../dev/content/compile.ts";
import type { Row } from "./measure.ts";

const columns: [string, (row: Row) => string][] = [
  ["row", ({ name }) => name],
  ["n", ({ samples }) => String(samples)],
  ["median ms", ({ median }) => median.toFixed(1)],
  ["p95 ms", ({ p95 }) => p95.toFixed(1)],
  ["net ms", ({ net }) => net.toFixed(1)],
  ["x empty", ({ ratio }) => ratio.toFixed(1)],
  ["D1 trips", ({ receipt }) => text(receipt?.roundTrips)],
  ["rows read", ({ receipt }) => text(receipt?.rowsRead)],
  ["written", ({ receipt }) => text(receipt?.rowsWritten)],
  ["object calls", ({ receipt }) => text(receipt?.sessionCalls)],
  ["prompt tokens", ({ receipt }) => text(receipt?.promptTokens)],
  ["note", ({ note }) => note ?? ""],
];

const text = (count: number | undefined): string => (count === undefined ? "" : String(count));

/** The rows as one table, names to the left, figures to the right. */
export function table(rows: Row[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, show]) => show(row)))];
  const widths = columns.map((_column, index) => Math.max(...cells.map((line) => line[index]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Written where later runs can be compared with it. Gives the file's path. */
export function writeResults(rows: Row[], seconds: number): string {
  const folder = join(repositoryPath, "bench/results");
  const at = new Date().toISOString();
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "unknown", node: process.version };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${at.slice(0, 10)}.json`);
  writeFileSync(path, `${JSON.stringify({ at, commit: commit(), seconds, machine, rows }, null, 2)}\n`);
  return path;
}

function commit(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: repositoryPath,
      encoding: "utf8",
    }).trim();
  } catch {
    // Not a clone.
    return null;
  }
}

import { parser } from "@lezer/python";
import { leavesOf } from "./grammar-gaps.ts";
import { openStrings } from "./open-strings.ts";
import { problemAt, type Problem } from "./problem.ts";

const NOTEBOOK_LINE = /^[ \t]*(?:!|%{1,2}(?=[A-Za-z]|[ \t]+[A-Za-z]))/;
const PIP_INSTALL = /^[ \t]*[!%][ \t]*pip3?[ \t]+install[ \t]+(.*)$/;
/** A name as on the package index, with extras and versions; no address, no path, no option that leads elsewhere. */
const PACKAGE =
  /^(?:-q|--quiet|-U|--upgrade|[A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?(?:(?:[=<>~!]=|[<>])[\w.*+!,=<>~-]+)?)$/;

/**
 * Lines of a notebook that are no Python. Installing packages by name is the sandbox's business and passes; shell lines
 * and magics are problems. The text comes back with both blanked out, so that the rest can be read as Python.
 */
export function takeOutNotebookLines(code: string): { text: string; problems: Problem[] } {
  const problems: Problem[] = [];
  const lines = code.split("\n");
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (NOTEBOOK_LINE.test(line) && beginsStatement(lines.slice(0, index))) {
      const words = PIP_INSTALL.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
      if (words.length === 0 || !words.every((word) => PACKAGE.test(word.replaceAll(/^["']|["']$/g, "")))) {
        problems.push(problemAt(code, at + line.length - line.trimStart().length, refusal(line.trim())));
      }
      const indent = line.slice(0, line.length - line.trimStart().length);
      // As long as the line, so that all places stay what they are.
      lines[index] = `${indent}0`.padEnd(line.length);
    }
    at += line.length + 1;
  }
  return { text: lines.join("\n"), problems };
}

function refusal(line: string): string {
  const [first = ""] = line.split(/\s/);
  if (PIP_INSTALL.test(line)) {
    return `only packages by their names can be installed; "${line.slice(0, 80)}" names something else.`;
  }
  return line.startsWith("!")
    ? `shell lines are not allowed here ("${line.slice(0, 80)}"); do it in Python, for example with pathlib or shutil.`
    : `notebook magics are not allowed here ("${first.slice(0, 40)}"); write Python instead.`;
}

/** Whether a line after these begins a statement: inside a string or brackets it goes on with one. */
function beginsStatement(before: string[]): boolean {
  if (before.at(-1)?.endsWith("\\")) return false;
  const text = `${before.join("\n")}\n`;
  const tree = parser.parse(text);
  if (openStrings(tree, text).some(({ isLong }) => isLong)) return false;
  let depth = 0;
  for (const { from, to } of leavesOf(tree)) {
    const token = text.slice(from, to);
    if (["(", "[", "{"].includes(token)) depth++;
    if ([")", "]", "}"].includes(token)) depth--;
  }
  return depth <= 0;
}

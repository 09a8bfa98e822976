import type { Tree } from "@lezer/common";
import { parser } from "@lezer/python";
import { fillGaps, type Change } from "./grammar-gaps.ts";
import { findSyntaxError } from "./syntax-error.ts";
import type { Problem } from "./problem.ts";

export interface ParsedPython {
  tree: Tree;
  /** The text that the tree is of: as long as the code, and the same in all that names something. */
  text: string;
  syntaxError?: Problem;
}

/** Reads code with the grammar; where the code is no Python, the tree is what could be made of it. */
export function parsePython(code: string): ParsedPython {
  let text = unescapeBraces(code);
  let tree = parser.parse(text);
  // Filling a gap may show the next one.
  for (let round = 0; round < 3 && hasErrors(tree); round++) {
    const filled = apply(text, fillGaps(tree, text));
    if (filled === text) break;
    text = filled;
    tree = parser.parse(text);
  }
  const syntaxError = findSyntaxError(tree, text, code);
  return { tree, text, ...(syntaxError ? { syntaxError } : {}) };
}

export function hasErrors(tree: Tree): boolean {
  let found = false;
  tree.iterate({ enter: ({ type }) => void (found ||= type.isError) });
  return found;
}

function apply(text: string, changes: Change[]): string {
  let changed = text;
  for (const { at, text: replacement } of changes) {
    changed = changed.slice(0, at) + replacement + changed.slice(at + replacement.length);
  }
  return changed;
}

/**
 * In an f-string `\{` is a backslash and then an expression; the grammar takes both for text, which would hide the
 * expression.
 */
function unescapeBraces(code: string): string {
  if (!code.includes("\\{")) return code;
  const changes: Change[] = [];
  parser.parse(code).iterate({
    enter({ name, from, to }) {
      if (name !== "FormatString") return;
      for (let at = from; at < to; at++) {
        if (code[at] !== "\\") continue;
        if (code[at + 1] === "{") changes.push({ at, text: " " });
        else at++;
      }
    },
  });
  return apply(code, changes);
}

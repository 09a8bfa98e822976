import type { SyntaxNode, Tree } from "@lezer/common";
import { leavesOf } from "./grammar-gaps.ts";
import { openStrings } from "./open-strings.ts";
import { problemAt, type Problem } from "./problem.ts";

const PAIRS = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
const COMPOUND = /^(?:async[ \t]+)?(?:if|elif|else|for|while|def|class|try|except|finally|with|match|case)\b/;

/** The first thing that keeps the text from being Python, in words; undefined when the grammar finds nothing. */
export function findSyntaxError(tree: Tree, text: string, code: string): Problem | undefined {
  const at = firstError(tree);
  const [open] = openStrings(tree, text);
  const old = oldPython(tree);
  if (open && (at === undefined || open.at <= at || open.isLong)) {
    return problemAt(text, open.at, "syntax error: this string is not closed.");
  }
  if (at !== undefined) return wrongBracket(tree, text) ?? explain(text, at);
  if (old) return problemAt(text, old.at, `syntax error: ${old.message}`);
  const stray = strayIndentation(tree, code);
  return stray === undefined
    ? undefined
    : problemAt(text, stray, "syntax error: this line is indented without a reason.");
}

function firstError(tree: Tree): number | undefined {
  let first: number | undefined;
  tree.iterate({
    enter({ type, from }) {
      if (type.isError) first = Math.min(first ?? from, from);
    },
  });
  return first;
}

/** What only Python 2 understood, and the grammar still does. */
function oldPython(tree: Tree): { at: number; message: string } | undefined {
  let found: { at: number; message: string } | undefined;
  tree.iterate({
    enter({ name, from }) {
      if (name !== "PrintStatement") return;
      found ??= { at: from, message: "print is a function, write print(…)." };
    },
  });
  return found;
}

/** The grammar takes a deeper line for one of the block. Tabs are left to the interpreter to count. */
function strayIndentation(tree: Tree, text: string): number | undefined {
  let stray: number | undefined;
  tree.iterate({
    enter({ name, node }) {
      if (stray !== undefined || (name !== "Script" && name !== "Body")) return;
      let block = name === "Script" ? 0 : undefined;
      for (let child = node.firstChild; child; child = child.nextSibling) {
        const before = text.slice(lineStart(text, child.from), child.from);
        if (child.type.isSkipped || child.name === "Comment" || !/^ *$/.test(before)) continue;
        if (before.length > (block ??= before.length)) return void (stray = child.from);
      }
    },
  });
  return stray;
}

function wrongBracket(tree: Tree, text: string): Problem | undefined {
  const open: SyntaxNode[] = [];
  for (const leaf of leavesOf(tree)) {
    const bracket = text.slice(leaf.from, leaf.to);
    if (["(", "[", "{"].includes(bracket)) open.push(leaf);
    const partner = PAIRS.get(bracket);
    if (partner === undefined) continue;
    const opened = open.pop();
    const found = opened && text[opened.from];
    if (found === partner) continue;
    const why = found === undefined ? "was never opened" : `does not close the "${found}" before it`;
    return problemAt(text, leaf.from, `syntax error: "${bracket}" ${why}.`);
  }
  const left = open[0];
  return left && problemAt(text, left.from, `syntax error: "${text[left.from]}" is never closed.`);
}

function explain(text: string, at: number): Problem {
  const start = lineStart(text, at);
  const line = text.slice(start).split("\n", 1)[0]!;
  const earlier = text.slice(0, start).split("\n").slice(0, -1);
  const before = earlier.findLast((other) => other.trim() !== "" && !other.trim().startsWith("#"));
  if (before !== undefined && at <= start + indentOf(line)) {
    const opens = before.trimEnd().endsWith(":");
    if (opens && indentOf(line) <= indentOf(before)) {
      return problemAt(
        text,
        start + indentOf(line),
        `syntax error: an indented block must follow "${before.trim()}".`,
      );
    }
    if (!opens && indentOf(line) > indentOf(before)) {
      return problemAt(text, start + indentOf(line), "syntax error: this line is indented without a reason.");
    }
    if (missesColon(before)) {
      const end = start - 1;
      return problemAt(text, end, `syntax error: ":" is missing at the end of "${before.trim()}".`);
    }
  }
  if (missesColon(line)) {
    return problemAt(text, at, `syntax error: ":" is missing in "${line.trim()}".`);
  }
  const near = text.slice(at, start + line.length).trim();
  return problemAt(text, at, `syntax error near "${(near || line.trim()).slice(0, 60)}".`);
}

const lineStart = (text: string, at: number) => text.lastIndexOf("\n", at - 1) + 1;
const indentOf = (line: string) => line.length - line.trimStart().length;
const missesColon = (line: string) => COMPOUND.test(line.trim()) && !line.includes(":");

import { findHints, findNames, type Mention } from "./columns.ts";
import type { Column } from "./table.ts";
import { stems } from "./words.ts";

/**
 * A question in which names and values are replaced by marks, so that the grammar only sees its own words: `§c0` is a
 * column, `§q0` a quoted text, `§v0` a value that one of the columns is known to hold.
 */
export interface MarkedText {
  text: string;
  columns: string[];
  quotes: string[];
  values: { column: string; value: string }[];
}

const QUOTED =
  /(the column |column |the )?("(?:[^"\\]|\\.)*"|“[^”]*”|`[^`]+`|(?<=^|[\s(])'[^']+'(?=$|[\s.,;:?!)]))( column)?/gi;

/** Marks a question. Without known columns only what is called a column (`column "price"`) is one. */
export function markText(text: string, known: Column[]): MarkedText {
  const marked: MarkedText = { text: text.replaceAll("§", " "), columns: [], quotes: [], values: [] };
  const columnMark = (name: string) => {
    const index = marked.columns.indexOf(name);
    return ` §c${index >= 0 ? index : marked.columns.push(name) - 1} `;
  };

  // A name with quotes in it is looked for as it stands, before they are taken for quotes of the question.
  for (const { name } of known.filter((column) => /["'`“”]/.test(column.name))) {
    marked.text = marked.text.replace(new RegExp(escapeRegExp(name), "gi"), () => columnMark(name));
  }
  marked.text = marked.text.replace(
    QUOTED,
    (_whole, before: string | undefined, literal: string, after: string | undefined) => {
      const content = unquote(literal);
      const named = known.find((column) => sameName(column.name, content));
      const called = /column/.test(`${before ?? ""}${after ?? ""}`.toLowerCase());
      if (named) return columnMark(named.name);
      if (called && known.length === 0) return columnMark(content);
      // A column that isn't there goes back as plain words, which the grammar then reports as missing.
      if (called) return ` ${content} `;
      return ` §q${marked.quotes.push(content) - 1} `;
    },
  );

  const mark = (mentions: Mention[]) => {
    marked.text = replaceMentions(marked.text, mentions, (mention) => columnMark(mention.column));
  };
  mark(findNames(marked.text, known));
  marked.text = markValues(marked, known);
  mark(findHints(marked.text, known));
  return marked;
}

function markValues(marked: MarkedText, known: Column[]): string {
  const values = known
    .flatMap((column) => column.values.map((value) => ({ column: column.name, value })))
    .filter(({ value }) => value.length > 1 && !/^[\d.,]+$/.test(value))
    .toSorted((one, two) => two.value.length - one.value.length);
  let text = marked.text;
  for (const entry of values) {
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}_§])${escapeRegExp(entry.value)}(?:'s|e?s)?(?![\\p{L}\\p{N}_])`,
      "giu",
    );
    // A short word such as "in" or "no" may be a value of some column: it then counts only as it is spelled there.
    const exact = entry.value.length <= 3;
    text = text.replace(pattern, (found) =>
      exact && !found.startsWith(entry.value) ? found : ` §v${marked.values.push(entry) - 1} `,
    );
  }
  return text;
}

function sameName(one: string, two: string): boolean {
  if (one.toLowerCase() === two.toLowerCase().trim()) return true;
  const [left, right] = [stems(one).join(""), stems(two).join("")];
  return left !== "" && left === right;
}

function replaceMentions(text: string, mentions: Mention[], write: (mention: Mention) => string): string {
  return mentions
    .toSorted((one, two) => two.from - one.from)
    .reduce((rest, mention) => rest.slice(0, mention.from) + write(mention) + rest.slice(mention.to), text);
}

function unquote(literal: string): string {
  if (!literal.startsWith('"')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1); // Typed by a person, whose backslashes mean themselves.
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

import type { Column } from "./table.ts";
import { areSynonyms, GRAMMAR, stem, stems } from "./words.ts";

/** A column's place in a text. */
export interface Mention {
  from: number;
  to: number;
  column: string;
}

interface Word {
  text: string;
  from: number;
  to: number;
}

/** Before a word of the grammar, these show that the column of that name is meant ("the sum of total", "by count"). */
const POINTS_AT_COLUMN = /(?:\b(?:of|by|per|column|where)|,)\s+(?:the\s+)?$/i;

/** Where whole names of columns stand in a text: case, plural, spaces and underscores don't matter; longest first. */
export function findNames(text: string, columns: Column[]): Mention[] {
  const words = wordsOf(text);
  const mentions: Mention[] = [];
  const names = columns
    .map((column) => ({ column: column.name, parts: stems(column.name) }))
    .filter(({ parts }) => parts.length > 0)
    .toSorted((one, two) => two.parts.join("").length - one.parts.join("").length);
  for (const { column, parts } of names) {
    const joined = parts.join("");
    words.forEach((word, start) => {
      // "unit price", "unitprice" and "unit_price" are the same name, so the letters are compared without the gaps.
      for (let count = 1; count <= parts.length + 1 && start + count <= words.length; count++) {
        const part = words.slice(start, start + count);
        if (part.flatMap((each) => stems(each.text)).join("") !== joined) continue;
        const mention = { from: word.from, to: part.at(-1)?.to ?? word.to, column };
        const isGrammar = count === 1 && (GRAMMAR.has(word.text.toLowerCase()) || GRAMMAR.has(joined));
        const pointed =
          POINTS_AT_COLUMN.test(text.slice(0, word.from)) || /^\s+column\b/i.test(text.slice(mention.to));
        if (isGrammar && !pointed) continue;
        if (!mentions.some((other) => overlap(other, mention))) mentions.push(mention);
      }
    });
  }
  return mentions;
}

/** Single words that mean one column only: a part of its name, or a synonym. */
export function findHints(text: string, columns: Column[]): Mention[] {
  const mentions: Mention[] = [];
  for (const word of wordsOf(text)) {
    if (GRAMMAR.has(word.text.toLowerCase()) || /^\d|^§/.test(word.text)) continue;
    const column = onlyOne(word.text, columns);
    if (column) mentions.push({ from: word.from, to: word.to, column });
  }
  return mentions;
}

function onlyOne(word: string, columns: Column[]): string | undefined {
  const wanted = stem(word);
  for (const fits of [
    (part: string) => part === wanted,
    (part: string) => areSynonyms(part, wanted),
    (part: string) =>
      Math.min(part.length, wanted.length) >= 4 && (part.startsWith(wanted) || wanted.startsWith(part)),
  ]) {
    const found = columns.filter((column) => stems(column.name).some(fits));
    if (found.length === 1) return found[0]?.name;
    if (found.length > 1) return undefined;
  }
  return undefined;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/§?[\p{L}\p{N}_]+/gu)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

function overlap(one: Mention, two: Mention): boolean {
  return one.from < two.to && two.from < one.to;
}

import { splitClauses } from "./clauses.ts";
import { cutConditions } from "./conditions.ts";
import { fillImpliedColumns } from "./implied-columns.ts";
import { markText, type MarkedText } from "./marked-text.ts";
import { plainWording } from "./plain-wording.ts";
import type { TableQuestion } from "./question.ts";
import type { Names } from "./question-parts.ts";
import { readClause } from "./read-clause.ts";
import type { Column } from "./table.ts";
import { isFamiliar } from "./words.ts";

/** What was understood of a request about a table. */
export type Reading =
  | { kind: "questions"; questions: TableQuestion[] }
  /** A column is asked for that isn't there; empty when a figure is asked of nothing in particular. */
  | { kind: "missing"; word: string }
  /** A word that asks for something these rules can't do, so that answering the rest would be answering another question. */
  | { kind: "unable"; word: string }
  | { kind: "nothing" };

const UNABLE =
  /\b(forecast\w*|predict\w*|regression|cluster\w*|outliers?|joins?|merge\w*|pivot|percentiles?|quartiles?|unless|growth|trend ?line|moving average|cumulative|running|normali[sz]e\w*|pie|scatter|heat ?map|box ?plot|histogram|share|percentages?|percent of|proportion|machine learning)\b/i;

/** Reads a request; `known` are the table's columns (none when only the marked names of an instruction are to be used). */
export function parseQuestions(text: string, known: Column[], previous?: TableQuestion): Reading {
  const { rest, file } = cutChartFile(text);
  const marked = markText(rest, known);
  const unable = UNABLE.exec(marked.text)?.[1];
  if (unable) return { kind: "unable", word: unable };

  const questions: TableQuestion[] = [];
  for (const clause of splitClauses(marked.text)) {
    const reading = readOne(clause, marked, known, questions.at(-1) ?? previous);
    if (reading.kind === "missing" || reading.kind === "unable") return reading;
    if (reading.kind === "questions") questions.push(...reading.questions);
  }
  const chart = questions.findLast((question) => question.ask === "chart");
  if (chart && file !== undefined) chart.file = file;
  return questions.length > 0 ? { kind: "questions", questions } : { kind: "nothing" };
}

/** "… and save it as prices.svg": the name of a chart's file. */
function cutChartFile(text: string): { rest: string; file?: string } {
  const named =
    /,?\s*(?:\band )?(?:\b(?:save|store|write|export)\s+(?:it|this|that|the (?:chart|plot|graph|result))?\s*)?\b(?:as|to|into|in|called|named)\s+(?:an? |the )?(?:svg )?(?:file )?["'`]?([\w-]+\.svg)\b["'`]?/i.exec(
      text,
    );
  return named ? { rest: text.replace(named[0], " "), file: named[1] } : { rest: text };
}

/** "… for Berlin" when nothing is known of Berlin: leaving it out would answer another question. */
function strayRestriction(text: string, { marked, known }: Names): string | undefined {
  if (known.length === 0) return undefined;
  const quote = /§q(\d+)/.exec(text)?.[1];
  if (quote !== undefined) return marked.quotes[Number(quote)];
  const value = /§v(\d+)/.exec(text)?.[1];
  if (value !== undefined) return marked.values[Number(value)]?.value;
  for (const [, word = ""] of text.matchAll(
    /\b(?:for|in|of|from|where|only|excluding|except|without|whose|not)\s+(?:the |all |our |my )*(\p{L}[\p{L}_]*)/gu,
  )) {
    const isPartOfName = new RegExp(`\\b${word} (?:\\p{L}+ )?§c`, "u").test(text);
    if (!isFamiliar(word) && !isPartOfName) return word;
  }
  return undefined;
}

function readOne(clause: string, marked: MarkedText, known: Column[], previous?: TableQuestion): Reading {
  const plain = fillImpliedColumns(plainWording(clause), { marked, known });
  const { text, where, unclear } = cutConditions(plain, marked, known);
  if (unclear) return { kind: "unable", word: unclear };
  const stray = strayRestriction(text, { marked, known });
  if (stray !== undefined) return { kind: "missing", word: stray };
  return readClause({ text, where, names: { marked, known }, previous });
}

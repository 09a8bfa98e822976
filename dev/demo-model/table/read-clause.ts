import { takeApart, type ClauseReader, type ClauseText } from "./clause.ts";
import type { Reading } from "./parse.ts";
import { readChart } from "./read-chart.ts";
import { readFigures, readFollowUp, readHowMany, readImplied } from "./read-figures.ts";
import { readCorrelation, readDistinct, readOverview, readRows } from "./read-rows.ts";
import { readFirstOrLast, readMostCommon, readWinner } from "./read-winner.ts";

/** The first that knows what to make of a clause decides; the vaguer ones come last. */
const READERS: ClauseReader[] = [
  readChart,
  readCorrelation,
  readOverview,
  readFollowUp,
  readMostCommon,
  readFirstOrLast,
  readWinner,
  readDistinct,
  readFigures,
  readHowMany,
  readImplied,
  readRows,
];

/** Reads one clause of a request. */
export function readClause(text: ClauseText): Reading {
  const clause = takeApart(text);
  if ("missing" in clause) return { kind: "missing", word: clause.missing };
  for (const read of READERS) {
    const reading = read(clause);
    if (reading) return reading;
  }
  return { kind: "nothing" };
}

import { asks, misses, unknownWord, type Clause } from "./clause.ts";
import type { Reading } from "./parse.ts";
import { typeOf } from "./question-parts.ts";

/** "What columns are there", "describe the file". */
export function readOverview({ text, columns, by, where }: Clause): Reading | undefined {
  if (columns.length > 0 || by.length > 0) return undefined;
  if (/\b(?:columns|headers?|fields)\b/.test(text) && !/\b(?:sum|mean|median)\b/.test(text)) {
    return asks({ ask: "columns", where: [] });
  }
  const asked = /\b(?:describe|summary|summari[sz]e|overview|statistics|stats|profile|analy[sz]e)\b/.test(
    text,
  );
  return asked ? asks({ ask: "summary", where }) : undefined;
}

export function readCorrelation({ text, columns, by, where }: Clause): Reading | undefined {
  if (!/\bcorrelation\b/.test(text)) return undefined;
  const [first, second] = [...columns, ...by.map((group) => group.column)];
  return first && second ? asks({ ask: "correlation", columns: [first, second], where }) : misses();
}

/** "Unique regions", "list the products", "what regions are there". */
export function readDistinct({
  text,
  columns,
  by,
  found,
  where,
  ordering,
  names,
}: Clause): Reading | undefined {
  if (by.length > 0) return undefined;
  const [measure, ...more] = found.measures;
  if (measure?.figure === "distinct" && more.length === 0 && !/\b(?:ndistinct|how many)\b/.test(text)) {
    return asks({ ask: "distinct", column: measure.column, where });
  }
  const only = columns.length === 1 ? columns[0] : undefined;
  const plain = where.length === 0 && !ordering.limit && !ordering.sort && found.measures.length === 0;
  const listed = /\b(?:what|which|list|all|show|are)\b/.test(text) && !/\bhow\b/.test(text);
  if (!only || !plain || !listed || typeOf(names, only) !== "text") return undefined;
  return asks({ ask: "distinct", column: only, where });
}

const ASKS_ROWS =
  /\b(?:rows?|records?|entries|lines?|show|list|display|print|head|tail|sorted|preview|data|table|only|ranked|find|which|who)\b/;

/** The rows themselves: the first ones, sorted ones, those that meet a condition. */
export function readRows({ text, columns, where, ordering, names }: Clause): Reading | undefined {
  const { sort, limit, end, order } = ordering;
  const unconditional = where.length === 0 && !sort && limit === undefined;
  if (unconditional && !ASKS_ROWS.test(text)) return undefined;
  const unknown = unconditional && columns.length === 0 ? unknownWord(text) : undefined;
  if (unknown) return names.known.length > 0 ? misses(unknown) : undefined;
  const by = sort ?? (order && columns[0] ? { column: columns[0], order } : undefined);
  const wanted = limit ?? (/\b(?:head|tail|preview)\b/.test(text) ? 5 : undefined);
  const last = end || /\btail\b/.test(text);
  return asks({
    ask: "rows",
    columns: by && !sort ? [] : columns,
    where,
    ...(by && { sort: by }),
    ...(wanted && { limit: wanted }),
    ...(last && { end: true }),
  });
}

import type { MarkedText } from "./marked-text.ts";
import type { Figure, Grouping, Measure, Order, Period } from "./question.ts";
import type { Column } from "./table.ts";
import { GRAMMAR, stems } from "./words.ts";

/** What the parts of a clause are looked up in. */
export interface Names {
  marked: MarkedText;
  known: Column[];
}

export function columnAt({ marked }: Names, index: string | undefined): string {
  return marked.columns[Number(index)] ?? "";
}

export function typeOf({ known }: Names, name: string): Column["type"] | undefined {
  return known.find((column) => column.name === name)?.type;
}

export interface Ordering {
  sort?: { column: string; order: Order };
  order?: Order;
  limit?: number;
  end?: boolean;
}

/** Takes "sorted by …", "top 5", "first 3 rows", "falling" out of a clause. */
export function cutOrdering(text: string, names: Names): { text: string; ordering: Ordering } {
  const ordering: Ordering = {};
  const rest = text
    .replace(
      /,? ?sorted by (?:the )?§c(\d+)(?: ?,? (?:in )?(rising|falling))?/,
      (_, index: string, order?: Order) => {
        ordering.sort = { column: columnAt(names, index), order: order ?? "rising" };
        return " ";
      },
    )
    .replace(/,? ?\b(?:sorted(?: by (?:value|figure|result|it))? )?(rising|falling)\b/, (_, order: Order) => {
      ordering.order = order;
      return " ";
    })
    .replace(/,? ?(?:only |the )*\b(top|bottom) (?:(\d+)|(?=§c))/, (_, which: string, count?: string) => {
      ordering.limit = Number(count ?? 1);
      ordering.order ??= which === "top" ? "falling" : "rising";
      return " ranked ";
    })
    .replace(/\b(\d+) (max|min)\b/, (_, count: string, which: string) => {
      ordering.limit = Number(count);
      ordering.order ??= which === "max" ? "falling" : "rising";
      return " ranked ";
    })
    .replace(/\b(first|last) (\d+)\b|\b(\d+) (first|last)\b/, (_, which, count, otherCount, otherWhich) => {
      ordering.limit = Number(count ?? otherCount);
      if ((which ?? otherWhich) === "last") ordering.end = true;
      return " ";
    });
  return { text: rest.replace(/\s+/g, " ").trim(), ordering };
}

const GROUP = String.raw`(?:(year|quarter|month|day|weekday|time)(?: of (?:the )?§c(\d+))?|(?:(?!mean|sum|median|min|max|stdev|count|how|value)\p{L}+ )?§c(\d+))`;

/** Takes "by region and month" out of a clause. */
export function cutGroups(
  text: string,
  names: Names,
  { ranked }: { ranked: boolean },
): { text: string; by: Grouping[]; missing?: string } {
  const by: Grouping[] = [];
  let missing: string | undefined;
  const mentions = (text.match(/§c\d+/g) ?? []).map((mark) => columnAt(names, mark.slice(2)));
  const add = (period: string | undefined, owner: string | undefined, plain: string | undefined): boolean => {
    if (plain !== undefined) {
      const column = columnAt(names, plain);
      const isWanted =
        ranked &&
        typeOf(names, column) === "number" &&
        mentions.some((other) => typeOf(names, other) === "text");
      if (isWanted) return false;
      by.push(groupOf(names, column));
      return true;
    }
    const date = owner === undefined ? names.known.find((column) => column.type === "date") : undefined;
    const column = owner === undefined ? date?.name : columnAt(names, owner);
    if (!column) {
      missing ??= period;
      return true;
    }
    by.push({ column, period: period === "time" ? spanPeriod(date) : (period as Period) });
    return true;
  };
  const rest = text
    .replace(/§c(\d+) over (?:the )?(§c\d+)/gu, "§c$1 by $2")
    .replace(
      new RegExp(
        String.raw`(?:\bby|\band by|, by) (?:the )?${GROUP}(?:(?: and|,| and by) (?:the )?${GROUP})?`,
        "gu",
      ),
      (whole: string, ...groups: (string | undefined)[]) => {
        const second = groups[5];
        const secondIsFigure =
          second !== undefined &&
          !/by .* by /.test(`${whole} `) &&
          typeOf(names, columnAt(names, second)) === "number";
        if (!add(groups[0], groups[1], groups[2])) return whole;
        if (secondIsFigure) return ` and §c${second} `;
        if (groups[3] !== undefined || second !== undefined) add(groups[3], groups[4], second);
        return " ";
      },
    )
    .replace(
      /\bby (?:the )?(?!§|mean|sum|median|min|max|stdev|count|how|value)(\p{L}+)/gu,
      (whole: string, word: string) => {
        if (names.known.length === 0 || GRAMMAR.has(word)) return whole;
        missing ??= word;
        return " ";
      },
    );
  return { text: rest.replace(/\s+/g, " ").trim(), by, ...(missing !== undefined && { missing }) };
}

/** A group by a column; days of a date column are taken as days, however they are written. */
export function groupOf(names: Names, column: string): Grouping {
  return typeOf(names, column) === "date" ? { column, period: "day" } : { column };
}

/** Months for more than two months of days, so that a chart stays readable. */
function spanPeriod(column: Column | undefined): Period {
  const days = column?.range
    ? (Date.parse(column.range.last) - Date.parse(column.range.first)) / 86_400_000
    : 0;
  return days > 1100 ? "year" : days > 62 ? "month" : "day";
}

/** Whether adding the numbers of a column makes sense, by its name: nobody wants a sum of prices. */
export function isAdditive(column: string): boolean {
  return !/price|rate|ratio|age\b|score|grade|temp|percent|%|height|weight|index|mean|average|year|share|cost per|discount|latitude|longitude/i.test(
    column,
  );
}

/** The figures that a clause names and the columns they are of. */
export function readMeasures(
  text: string,
  names: Names,
): { measures: Measure[]; bare: string[]; missing?: string; without: Figure[] } {
  const measures: Measure[] = [];
  const bare: string[] = [];
  let waiting: Figure[] = [];
  let last: Figure[] = [];
  let unknown: string | undefined;
  for (const [token] of text.matchAll(/§c\d+|[\p{L}_]+/gu)) {
    if (token.startsWith("§c")) {
      const column = columnAt(names, token.slice(2));
      const figures = waiting.length > 0 ? waiting : last;
      if (figures.length > 0)
        measures.push(...figures.map((figure) => ({ figure: datedFigure(figure, column, names), column })));
      else bare.push(column);
      if (figures.length > 0) last = figures;
      waiting = [];
      unknown = undefined;
    } else if (token === "count") {
      measures.push({ figure: "count" });
    } else if (isFigure(token)) {
      waiting.push(token === "ndistinct" ? "distinct" : token);
    } else if (waiting.length > 0 && !GRAMMAR.has(token) && !GRAMMAR.has(stems(token)[0] ?? "")) {
      unknown ??= token;
    }
  }
  // "The price's mean": the column came first.
  if (waiting.length > 0 && bare.length > 0 && !unknown) {
    const figures = waiting;
    measures.push(...bare.flatMap((column) => figures.map((figure) => ({ figure, column }))));
    waiting = [];
  }
  return {
    measures,
    bare,
    without: waiting,
    ...(waiting.length > 0 && unknown !== undefined && { missing: unknown }),
  };
}

function isFigure(token: string): token is Figure | "ndistinct" {
  return /^(?:mean|sum|median|min|max|stdev|distinct|ndistinct|earliest|latest)$/.test(token);
}

function datedFigure(figure: Figure, column: string, names: Names): Figure {
  if (typeOf(names, column) !== "date") return figure;
  return figure === "min" ? "earliest" : figure === "max" ? "latest" : figure;
}

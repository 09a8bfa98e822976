import { columnsOf, likelyMeasure, misses, unknownWord, type Clause } from "./clause.ts";
import type { Reading } from "./parse.ts";
import type { Condition, Grouping, Measure } from "./question.ts";
import { cutGroups, groupOf, readMeasures, type Names, type Ordering } from "./question-parts.ts";

/** "Bar chart of mean price by region", "plot sales by month", "draw it". */
export function readChart(clause: Clause): Reading | undefined {
  if (!/\bchart\b/.test(clause.text)) return undefined;
  const { names, previous, where, ordering } = clause;
  const shape = /\bline\b/.test(clause.text)
    ? "line"
    : /\b(?:bar|column)\b/.test(clause.text)
      ? "bar"
      : undefined;
  const shown = clause.text.replace(/\b(?:bar|line|column|chart)\b/g, " ");
  const found = readMeasures(shown, names);
  if (found.missing !== undefined) return misses(found.missing);

  const others = columnsOf({ ...clause, found }, "other");
  const group = clause.by[0] ?? (others[0] ? groupOf(names, others[0]) : undefined);
  const measures =
    found.measures.length > 0 ? found.measures : columnsOf({ ...clause, found }, "number").map(likelyMeasure);
  if (measures.length > 0)
    return draw(measures, { shape, group: group ?? likelyGroup(names, shape), where, ordering });

  if (previous?.ask === "figures" || previous?.ask === "chart") {
    const before =
      previous.ask === "figures"
        ? previous
        : { ...previous, measures: [previous.measure], by: [previous.by] };
    return draw(before.measures, {
      shape,
      group: group ?? before.by[0] ?? likelyGroup(names, shape),
      where: where.length > 0 ? where : before.where,
      ordering: {
        order: ordering.order ?? before.order,
        // A chart of a single winner shows nothing: all of the groups are drawn, in the same order.
        limit: ordering.limit ?? (before.limit === 1 ? undefined : before.limit),
      },
    });
  }
  const unknown = unknownWord(shown);
  if (unknown || !group) return misses(unknown);
  return draw([{ figure: "count" }], { shape, group, where, ordering });
}

interface Drawing {
  shape?: "bar" | "line";
  group?: Grouping;
  where: Condition[];
  ordering: Ordering;
}

function draw(measures: Measure[], { shape, group, where, ordering: { order, limit } }: Drawing): Reading {
  if (!group) return misses();
  const drawn = shape ?? (group.period && group.period !== "weekday" ? "line" : "bar");
  return {
    kind: "questions",
    questions: measures.map((measure) => ({
      ask: "chart",
      shape: drawn,
      measure,
      by: group,
      where,
      ...(order && { order }),
      ...(limit && { limit }),
    })),
  };
}

/** What a chart most likely runs along when the question doesn't say. */
function likelyGroup(names: Names, shape: "bar" | "line" | undefined): Grouping | undefined {
  const date = names.known.find((column) => column.type === "date");
  const text = names.known.find((column) => column.type === "text" && column.values.length > 1);
  if (date && (shape === "line" || !text)) return cutGroups("by time", names, { ranked: false }).by[0];
  return text && { column: text.name };
}

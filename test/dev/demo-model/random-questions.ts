import {
  COMPARISONS,
  FIGURES,
  PERIODS,
  type Condition,
  type Grouping,
  type Measure,
  type TableQuestion,
} from "../../../dev/demo-model/table/question.ts";

const NAMES = [
  "class",
  "unit price",
  'say "hi"',
  "mean",
  "sorted by",
  "Größe (m²)",
  "top 5",
  "a, b and c",
  "x\ny",
  "\\",
  "' or '",
  "§c0",
  "]",
  "the column",
  "$&",
  "日本",
];
const LETTERS = "abz AZ019\"\\'`,.;:-_()[]{}§%$€\n\täß日😀";

/** Questions over columns and values of the strangest names, the same ones for the same seed. */
export function randomQuestions(seed: number) {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const one = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const some = <Item>(make: () => Item, least: number, most: number): Item[] =>
    Array.from({ length: least + random(most - least + 1) }, make);

  // The sign of the marks is the one character that the grammar keeps for itself.
  function name(): string {
    const text = random(2) ? one(NAMES) : some(() => one([...LETTERS]), 1, 10).join("");
    return text.replaceAll("§", "$").trim() === "" ? "blank" : text.replaceAll("§", "$");
  }
  function condition(): Condition {
    const column = name();
    switch (random(5)) {
      case 0:
        return { column, test: one(["is one of", "is none of"]), values: some(name, 1, 3) };
      case 1:
        return { column, test: one(COMPARISONS), value: String(random(2000) - 1000) };
      case 2:
        return { column, test: one(["contains", "starts with"]), value: name() };
      case 3:
        return { column, test: "is in", value: one(["2024", "2024-03", "-03-"]) };
      default:
        return { column, test: one(["is blank", "is not blank"]) };
    }
  }
  const measure = (): Measure => (random(6) ? { figure: one(FIGURES), column: name() } : { figure: "count" });
  const grouping = (): Grouping => ({ column: name(), ...(random(2) && { period: one(PERIODS) }) });
  const ordering = () =>
    random(2)
      ? { order: one(["rising", "falling"] as const), ...(random(2) && { limit: 1 + random(99) }) }
      : {};

  return {
    name,
    question(): TableQuestion {
      const where = some(condition, 0, 2);
      switch (random(5)) {
        case 0:
          return {
            ask: "figures",
            measures: some(measure, 1, 2),
            by: some(grouping, 1, 2),
            where,
            ...ordering(),
          };
        case 1:
          return {
            ask: "chart",
            shape: one(["bar", "line"]),
            measure: measure(),
            by: grouping(),
            where,
            ...ordering(),
          };
        case 2:
          return { ask: "distinct", column: name(), where };
        case 3:
          return { ask: "summary", where };
        default: {
          const sort = random(2)
            ? { sort: { column: name(), order: one(["rising", "falling"] as const) } }
            : {};
          const limit = random(2) ? { limit: 1 + random(99), ...(random(2) && { end: true }) } : {};
          return { ask: "rows", columns: [], where, ...sort, ...limit };
        }
      }
    },
  };
}

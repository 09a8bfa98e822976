import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInstruction, describeInstruction } from "../../../dev/demo-model/roles/instruction.ts";
import { COMPARISONS, FIGURES, PERIODS, type TableQuestion } from "../../../dev/demo-model/table/question.ts";
import { findWork } from "../../../dev/demo-model/topics/topics.ts";

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    "class",
    "unit price",
    'say "hi"',
    "mean",
    "sorted by",
    "Größe (m²)",
    "§c0",
    "top 5",
    "a, b and c",
    "x\ny",
  ),
);
// The sign of the marks is the one character that the grammar keeps for itself.
const text = name.filter((value) => !value.includes("§") && value.trim() !== "");
const column = text;
const number = fc.integer({ min: -1000, max: 1000 }).map(String);
const condition = fc.oneof(
  fc.record({
    column,
    test: fc.constantFrom("is one of" as const, "is none of" as const),
    values: fc.array(text, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ column, test: fc.constantFrom(...COMPARISONS), value: number }),
  fc.record({ column, test: fc.constantFrom("contains" as const, "starts with" as const), value: text }),
  fc.record({
    column,
    test: fc.constant("is in" as const),
    value: fc.constantFrom("2024", "2024-03", "-03-"),
  }),
  fc.record({ column, test: fc.constantFrom("is blank" as const, "is not blank" as const) }),
);
const where = fc.array(condition, { maxLength: 2 });
const measure = fc.oneof(
  fc.record({ figure: fc.constantFrom(...FIGURES), column }),
  fc.constant({ figure: "count" as const }),
);
const grouping = fc.oneof(fc.record({ column }), fc.record({ column, period: fc.constantFrom(...PERIODS) }));
const ordered = fc.record(
  { order: fc.constantFrom("rising" as const, "falling" as const), limit: fc.integer({ min: 1, max: 99 }) },
  { requiredKeys: ["order"] },
);

const questions: fc.Arbitrary<TableQuestion> = fc.oneof(
  fc
    .tuple(
      fc.array(measure, { minLength: 1, maxLength: 2 }),
      fc.array(grouping, { minLength: 1, maxLength: 2 }),
      where,
      fc.option(ordered, { nil: {} }),
    )
    .map(([measures, by, conditions, order]): TableQuestion => ({
      ask: "figures",
      measures,
      by,
      where: conditions,
      ...order,
    })),
  fc
    .tuple(fc.array(measure, { minLength: 1, maxLength: 2 }), where)
    .map(([measures, conditions]): TableQuestion => ({
      ask: "figures",
      measures,
      by: [],
      where: conditions,
    })),
  fc
    .tuple(
      measure,
      grouping,
      where,
      fc.constantFrom("bar" as const, "line" as const),
      fc.option(ordered, { nil: {} }),
    )
    .map(([one, by, conditions, shape, order]): TableQuestion => ({
      ask: "chart",
      shape,
      measure: one,
      by,
      where: conditions,
      ...order,
    })),
  fc
    .tuple(column, where)
    .map(([one, conditions]): TableQuestion => ({ ask: "distinct", column: one, where: conditions })),
  where.map((conditions): TableQuestion => ({ ask: "summary", where: conditions })),
);

describe("what the Planner writes, the CodeInterpreter reads", () => {
  it("as the same question, whatever columns and values are called", () => {
    fc.assert(
      fc.property(text, questions, (file, question) => {
        const message = describeInstruction({ kind: "questions", file, questions: [question] });
        expect(parseInstruction(message)).toEqual({ kind: "questions", file, questions: [question] });
      }),
      { numRuns: 500 },
    );
  });

  it("as the same files to load", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (files) => {
        expect(parseInstruction(describeInstruction({ kind: "load", files }))).toEqual({
          kind: "load",
          files,
        });
      }),
    );
  });

  it.each([
    "what is 17*23",
    "12% of 340",
    "5!",
    "first 7 primes",
    "days between 1 May 2024 and 2024-06-01",
    "3 weeks before 2024-03-01",
    'count the letters of "a \\"b\\""',
    "mean of 1, 2, 3",
  ])("as the same work: %s", (question) => {
    const work = findWork(question);
    expect(work).toBeDefined();
    expect(findWork(work?.instruction ?? "")).toEqual(work);
  });
});

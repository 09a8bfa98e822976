import { expect, it } from "vitest";
import { lexicalEmbedder, lexicalVector } from "../../src/embeddings/lexical/index.ts";
import { cosine, packVector, unpackVector } from "../../src/embeddings/vector.ts";
import { lessons, questions, strangers } from "./labelled.ts";

const near = (left: string, right: string) =>
  lexicalEmbedder.score!(cosine(lexicalVector(left), unpackVector(packVector(lexicalVector(right)))));

/** The lessons for a question, best first. */
const ranked = (question: string) =>
  Object.entries(lessons)
    .map(([id, text]) => ({ id, score: near(question, text) }))
    .toSorted((left, right) => right.score - left.score);

it("ranks a labelled set as docs/experience.md says", () => {
  const results = questions.map(([question, about]) => ({ found: ranked(question), about }));
  const places = results.map(({ found, about }) => found.findIndex(({ id }) => id === about) + 1);
  const above = results.flatMap(({ found, about }) =>
    found.filter(({ score }) => score >= 0.2).map(({ id }) => id === about),
  );
  const figures = {
    questions: questions.length,
    first: places.filter((place) => place === 1).length,
    amongFirstThree: places.filter((place) => place <= 3).length,
    meanReciprocalRank: Number(
      (places.reduce((sum, place) => sum + 1 / place, 0) / places.length).toFixed(2),
    ),
    rightAboveThreshold: above.filter(Boolean).length,
    wrongAboveThreshold: above.filter((isRight) => !isRight).length,
    wrongInAll: questions.length * (Object.keys(lessons).length - 1),
    strangersAboveThreshold: strangers.filter((question) => ranked(question)[0]!.score >= 0.2).length,
  };
  expect(figures).toEqual({
    questions: 24,
    first: 23,
    amongFirstThree: 24,
    meanReciprocalRank: 0.97,
    rightAboveThreshold: 23,
    wrongAboveThreshold: 26,
    wrongInAll: 264,
    strangersAboveThreshold: 3,
  });
});

it.each([
  ["forecasting", "forecast", 0.9],
  ["Überprüfung der Rechnung", "überprüfung der rechnungen", 0.5],
  ["customer_id", "customerId", 0.9],
  ["请分析销售数据", "销售数据的平均值", 0.2],
  ["the and of", "anything", 0],
])("%s and %s are near", (left, right, atLeast) => {
  expect(near(left, right)).toBeGreaterThanOrEqual(atLeast);
});

it("is the same everywhere: vectors are kept", () => {
  const [largest] = [...lexicalVector("count the rows of sales.csv")]
    .map((value, index) => [index, value] as const)
    .toSorted(([, left], [, right]) => right - left);
  expect(largest).toMatchInlineSnapshot(`
    [
      230,
      1,
    ]
  `);
});

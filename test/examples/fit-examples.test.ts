import { expect, it } from "vitest";
import { fitExamples } from "../../src/examples/fit-examples.ts";
import type { Example } from "../../src/examples/example.ts";

/** An example of about so many tokens. */
const example = (name: string, tokens: number, from = "Planner"): Example => ({
  name,
  subPath: "",
  plugins: [],
  rounds: [
    {
      userQuery: "",
      posts: [{ id: "p", sendFrom: from, sendTo: "Coder", message: "word".repeat(tokens), attachments: [] }],
    },
  ],
});
const names = (examples: Example[], tokens: number) =>
  fitExamples(examples, ["Planner", "Coder"], tokens).map(({ name }) => name);

it("shows as many as fit, in the order of their names", () => {
  const examples = [example("a", 500), example("b", 100), example("c", 300), example("d", 100)];
  expect(names(examples, 1000)).toEqual(["a", "b", "c", "d"]);
  expect(names(examples, 999)).toEqual(["b", "c", "d"]);
  expect(names(examples, 250)).toEqual(["b", "d"]);
  expect(names(examples, 50)).toEqual([]);
});

it("leaves out those in which somebody takes part who isn't there", () => {
  expect(names([example("a", 1), example("b", 1, "Stranger")], 100)).toEqual(["a"]);
});

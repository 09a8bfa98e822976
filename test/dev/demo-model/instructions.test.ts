import { describe, expect, it } from "vitest";
import { describeInstruction, parseInstruction } from "../../../dev/demo-model/roles/instruction.ts";
import { findWork } from "../../../dev/demo-model/topics/topics.ts";
import { randomQuestions } from "./random-questions.ts";

const ROUNDS = 3000;

describe("what the Planner writes, the CodeInterpreter reads", () => {
  it("as the same question, whatever columns and values are called", () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomQuestions(seed);
      const instruction = { kind: "questions" as const, file: random.name(), questions: [random.question()] };
      const message = describeInstruction(instruction);
      expect(parseInstruction(message), `seed ${seed}: ${message}`).toEqual(instruction);
    }
  });

  it("as the same files to load", () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomQuestions(seed);
      const instruction = { kind: "load" as const, files: [random.name(), random.name()] };
      expect(parseInstruction(describeInstruction(instruction)), `seed ${seed}`).toEqual(instruction);
    }
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

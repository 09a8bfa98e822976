import { describe, expect, it } from "vitest";
import { rulesOf } from "../../src/verification/rules.ts";
import { verifyPython } from "../../src/verification/verify-python.ts";
import { passed, refused } from "./snippets.ts";

const rules = rulesOf({})!;

describe("the rules that hold when nothing is configured", () => {
  it.each(refused)("refuse %j", (code) => {
    expect(verifyPython(code, rules)).not.toEqual([]);
  });

  it.each(passed)("let pass %j", (code) => {
    expect(verifyPython(code, rules)).toEqual([]);
  });
});

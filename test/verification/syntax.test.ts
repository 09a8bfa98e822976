import { describe, expect, it } from "vitest";
import { rulesOf } from "../../src/verification/rules.ts";
import { verifyPython } from "../../src/verification/verify-python.ts";
import { validPython } from "./valid-python.ts";

const rules = rulesOf({})!;

describe("code that is no Python", () => {
  it.each<[code: string, line: number, column: number, words: string]>([
    [`print("a"\nx = 1`, 1, 6, `"(" is never closed`],
    [`x = [1, 2)`, 1, 10, `")" does not close the "["`],
    [`x = 1)`, 1, 6, `")" was never opened`],
    [`name = "abc\nx = 1`, 1, 8, "this string is not closed"],
    [`x = 1\ntext = """abc\nx = 2`, 2, 8, "this string is not closed"],
    [`if x > 1\n    y = 2`, 1, 9, `":" is missing`],
    [`def f(x)\n    return x`, 1, 9, `":" is missing`],
    [`x = 1\n    y = 2`, 2, 5, "indented without a reason"],
    [`if x:\ny = 2`, 2, 1, "an indented block must follow"],
    [`print "hello"`, 1, 1, "print is a function"],
    [`x = = 1`, 1, 5, "syntax error"],
    [`for in x:\n    pass`, 1, 5, "syntax error"],
    [`x = 1\ny = 2 +\nz = 3`, 2, 8, "syntax error"],
    [`let x = 1`, 1, 5, "syntax error"],
    [`const total = rows.map(r => r.a);`, 1, 7, "syntax error"],
    [`x = 1\n\nThe result is above.`, 3, 5, "syntax error"],
    [`"""\n!ls\n"""\nx = (\n`, 4, 5, "never closed"],
  ])("%j is refused at its place", (code, line, column, words) => {
    const [first] = verifyPython(code, rules);
    expect(first).toMatchObject({ line, column, message: expect.stringContaining(words) as string });
  });

  it("keeps the places after a line that is no Python, and passes over names of JavaScript's own", () => {
    expect(verifyPython("%x\ny = eval('1')", rules)).toMatchObject([{ line: 1 }, { line: 2, column: 5 }]);
    expect(verifyPython("import toString\nx = toString.constructor", rules)).toEqual([]);
    expect(verifyPython("constructor = = 1", rules)[0]).toMatchObject({ column: 15 });
  });

  it("keeps the places of Windows' line ends and of tabs", () => {
    expect(verifyPython("if x:\r\n\ty = eval('1')\r\n", rules)[0]).toMatchObject({ line: 2, column: 6 });
    expect(verifyPython("x = 1\r\ny = eval('1')\r\n", rules)[0]).toMatchObject({ line: 2, column: 5 });
  });
});

describe("valid Python", () => {
  it.each(validPython)("is taken for what it is: %j", (code) => {
    expect(verifyPython(code, rules)).toEqual([]);
  });
});

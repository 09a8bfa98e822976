import { describe, expect, it } from "vitest";
import { describeRules, rulesOf, type RuleSettings } from "../../src/verification/rules.ts";
import { verifyPython } from "../../src/verification/verify-python.ts";

const problems = (code: string, settings: RuleSettings) =>
  verifyPython(code, rulesOf(settings)!).map(({ message }) => message);

describe("TaskWeaver's lists", () => {
  it("hold with their defaults as soon as one of its keys is set", () => {
    for (const settings of [
      { code_verification_on: true },
      { allowed_modules: ["pandas"] },
      { blocked_functions: ["eval"] },
    ]) {
      expect(problems("import pandas as pd", settings)).toEqual([]);
      expect(problems("import json", settings)).toEqual([
        expect.stringContaining("the module json is not allowed"),
      ]);
    }
    expect(problems(`open("a")`, { allowed_modules: ["pandas"] })).toEqual([
      expect.stringContaining("open is not"),
    ]);
    expect(problems(`open("a")`, { blocked_functions: ["eval"] })).toEqual([]);
    expect(problems(`getattr(a, "b")`, { code_verification_on: true })).not.toEqual([]);
  });

  it("hold for what an allowed module leads to", () => {
    const settings = { code_verification_on: true };
    expect(problems(`import pandas\npandas.io.common.os.system("ls")`, settings)).not.toEqual([]);
    expect(problems(`e = eval`, settings)).not.toEqual([]);
    expect(problems(`f.__globals__`, settings)).not.toEqual([]);
    expect(problems(`!pip install x; rm -rf .`, settings)).not.toEqual([]);
    expect(problems(`text = """\n# a\n\n"""\neval(text)`, settings)).toHaveLength(1);
  });

  it("an empty list of modules allows none, a dotted one its parts", () => {
    expect(problems("import math", { allowed_modules: [] })).toEqual([
      expect.stringContaining("nothing may be imported"),
    ]);
    expect(problems("import os.path", { allowed_modules: ["os.path"] })).toEqual([]);
    expect(problems("from . import x", { allowed_modules: ["math"] })).toEqual([
      expect.stringContaining("relative"),
    ]);
  });

  it("a blocked name is blocked as a method too, an alias of it as well", () => {
    expect(problems(`df.to_sql("t")`, { blocked_functions: ["to_sql"] })).toEqual([
      expect.stringContaining("to_sql"),
    ]);
    expect(problems(`save = df.to_sql`, { blocked_functions: ["to_sql"] })).not.toEqual([]);
    expect(problems(`import numpy as np\nnp.load("a")`, { blocked_functions: ["numpy.load"] })).not.toEqual(
      [],
    );
    expect(problems(`import numpy as np\nmodel.load("a")`, { blocked_functions: ["numpy.load"] })).toEqual(
      [],
    );
    expect(problems(`from pandas import read_csv`, { blocked_functions: ["read_*"] })).not.toEqual([]);
  });

  it("functions and variables may be allowed by name", () => {
    const settings = { code_verification_on: true, allowed_functions: ["find"], allowed_variables: ["r1"] };
    expect(problems(`r1 = find(**{"a": [1, None, True]})\nr1`, settings)).toEqual([]);
    expect(problems(`r1 = other()`, settings)).toEqual([expect.stringContaining("other is not allowed")]);
    expect(problems(`r1 = (lambda: 1)()`, settings)).toEqual([
      expect.stringContaining("only find may be called"),
    ]);
    for (const code of [
      `r2 = 1`,
      `for r2 in []: pass`,
      `(r2 := 1)`,
      `with r1 as r2: pass`,
      `[x for x in r1]`,
    ]) {
      expect(problems(code, settings)).toEqual([expect.stringContaining("the variable")]);
    }
  });
});

describe("our own lists", () => {
  it("are replaced by a list of the project's", () => {
    expect(problems("import requests", { blocked_modules: ["pandas"] })).toEqual([]);
    expect(problems("import pandas", { blocked_modules: ["pandas"] })).toEqual([
      expect.stringContaining("the module pandas is not allowed here"),
    ]);
    // Functions stay blocked by ours.
    expect(problems(`eval("1")`, { blocked_modules: [] })).not.toEqual([]);
  });

  it("are told in a few lines, those of a project in full", () => {
    expect(describeRules(rulesOf({})!).length).toBeLessThan(1000);
    const own = describeRules(rulesOf({ allowed_modules: ["pandas", "json"] })!);
    expect(own).toContain("Only these modules may be imported: pandas, json.");
    expect(own).toContain("eval, exec");
  });

  it("are off when verification is", () => {
    expect(rulesOf({ code_verification_on: false, allowed_modules: ["pandas"] })).toBeUndefined();
  });
});

describe("earlier code", () => {
  it("lends its names", () => {
    const rules = rulesOf({})!;
    expect(verifyPython(`o.system("ls")`, rules, ["import os as o"])).not.toEqual([]);
    expect(verifyPython(`q.system("ls")`, rules, ["import os as o", "q = o"])).not.toEqual([]);
    expect(verifyPython(`o.system("ls")`, rules)).toEqual([]);
    expect(verifyPython(`print(o)`, rules, ["import os as o", "o = 1"])).toEqual([]);
    expect(verifyPython(`compile(1)`, rules, ["def compile(x): pass"])).toEqual([]);
    expect(verifyPython(`compile(1)`, rules, ["def compile(x): pass", "del compile"])).not.toEqual([]);
  });
});

import { describe, expect } from "vitest";
import type { SandboxSuite } from "./suite.ts";

/** What cells show, and what goes wrong in them. */
export function testCells(suite: SandboxSuite): void {
  const { openContext, test } = suite;
  describe("what a cell shows", () => {
    const cells: [code: string, value: string | undefined, stdout?: string][] = [
      ["1+1", "2"],
      ["x = 'Hello'", "'Hello'"],
      ["x += '!'", "'Hello!'"],
      ["y = 5; z = 6", "6"],
      ["a, b = 1, 2", undefined],
      ["for each in range(3): pass", undefined],
      ["print('a'); print('b')", undefined, "a\nb\n"],
      ["None", undefined],
      ["(1, 'two')", "(1, 'two')"],
      ["{'a': [1, 2]}", "{'a': [1, 2]}"],
      ["1;", "1"],
      ["exit()", undefined],
      ["'still here'", "'still here'"],
      ["import asyncio\nawait asyncio.sleep(0.01)\n'awaited'", "'awaited'"],
      ["async def f(): return 3\nasyncio.run(f())", "3"],
      ["", undefined],
      ["'ä€😀\\ud800'", String.raw`'ä€😀\ud800'`],
    ];
    for (const [code, value, stdout = ""] of cells) {
      test(`${JSON.stringify(code)} shows ${value ?? "no value"}`, async () => {
        const outcome = await suite.context.run(code);
        expect([outcome.error, outcome.value, outcome.stdout]).toEqual([undefined, value, stdout]);
        expect(outcome.status).toBe("success");
      });
    }

    test("rich forms come with the value and with display", async () => {
      const outcome = await suite.context.run(
        "class Rich:\n    def _repr_html_(self): return '<b>rich</b>'\n    def __repr__(self): return 'plain'\n" +
          "display(Rich(), 'text')\nRich()",
      );
      expect(outcome.all("display").map(({ data }) => data)).toEqual([
        { "text/plain": "plain", "text/html": "<b>rich</b>" },
        { "text/plain": "'text'" },
      ]);
      expect(outcome.all("result")[0]).toMatchObject({
        text: "plain",
        data: { "text/html": "<b>rich</b>" },
      });
    });

    test("what is printed while it runs is told while it runs", async () => {
      const times: number[] = [];
      const code = "import time\nfor i in range(3):\n    print(i)\n    time.sleep(0.4)";
      await suite.context.run(code, {
        onEvent: ({ type }) => type === "stdout" && void times.push(Date.now()),
      });
      expect(times.length).toBeGreaterThanOrEqual(2);
      expect(times.at(-1)! - times[0]!).toBeGreaterThan(300);
    });

    test("stderr is told from stdout", async () => {
      const outcome = await suite.context.run("import sys\nprint('out')\nprint('err', file=sys.stderr)");
      expect([outcome.stdout, outcome.stderr]).toEqual(["out\n", "err\n"]);
    });

    test("too much output is cut visibly, and the interpreter lives", async () => {
      const outcome = await suite.context.run("for _ in range(500): print('x' * 10_000)\n'done'");
      expect(outcome.stdout.length).toBeGreaterThan(900_000);
      expect(outcome.stdout.length).toBeLessThan(1_200_000);
      expect(outcome.stdout).toMatch(/… \d+ more characters\n$/);
      expect(outcome.value).toBe("'done'");
    });

    test("a large display arrives whole", async () => {
      const outcome = await suite.context.run(
        "class Big:\n    def _repr_html_(self): return 'x' * 3_000_000\nBig()",
      );
      expect(outcome.all("result")[0]!.data["text/html"]!.length).toBe(3_000_000);
    });

    test("variables are summed up", async () => {
      const { done } = await suite.context.run("numbers = [1, 2, 3]\nword = 'ab'\n_hidden = 1");
      const variables = done?.variables.filter(({ name }) => /^(numbers|word|_hidden)$/.test(name));
      expect(variables).toEqual([
        { name: "numbers", type: "list", summary: "3 items" },
        { name: "word", type: "str", summary: "'ab'" },
      ]);
    });
  });

  describe("what goes wrong in a cell", () => {
    test("an error shows the user's line, and what was set before it is kept", async () => {
      const failed = await suite.context.run("kept = 7\ndef f():\n    return 1 / 0\nf()");
      expect(failed.status).toBe("failure");
      expect(failed.error).toMatchObject({ name: "ZeroDivisionError", message: "division by zero" });
      expect(failed.error!.traceback).toMatch(
        /line 3, in f[^]*return 1 \/ 0[^]*ZeroDivisionError: division by zero\n$/,
      );
      expect(failed.error!.traceback).not.toMatch(/runner\.py|kernel\.py|ipykernel/);
      expect((await suite.context.run("kept")).value).toBe("7");
    });

    test("a syntax error names its line", async () => {
      const { error, status } = await suite.context.run("fine = 1\ndef (:\n");
      expect([status, error?.name]).toEqual(["failure", "SyntaxError"]);
      expect(error!.traceback).toContain("line 2");
    });

    test("a line that asks for packages tells what is there, and is no line of a string", async () => {
      const asked = await suite.context.run("%pip install -q json\ns = '''\n!pip install x\n'''\n1 / 0");
      expect(asked.stdout).toBe("json is there already.\n");
      expect(asked.error?.traceback).toMatch(/line 5[^]*1 \/ 0/);
      const missing = await suite.context.run("!pip install package-of-nobody");
      expect(missing.error?.message).toMatch(/^package-of-nobody can't be installed here/);
    });

    test("nobody can type an answer", async () => {
      expect((await suite.context.run("input('name? ')")).error?.message).toMatch(/not available/);
    });

    test("a deadline stops it, and variables are kept", async () => {
      const stopped = await suite.context.run("before = 1\nwhile True: pass", { timeoutMs: 500 });
      expect(stopped.status).toBe("timeout");
      expect(stopped.error?.name).toBe("TimeoutError");
      expect((await suite.context.run("before")).value).toBe("1");
    });

    test("sleeping code is stopped as well", async () => {
      const started = Date.now();
      expect((await suite.context.run("import time; time.sleep(30)", { timeoutMs: 300 })).status).toBe(
        "timeout",
      );
      expect(Date.now() - started).toBeLessThan(5000);
    });

    test("an interrupt stops it, and variables are kept", async () => {
      let stopping: Promise<void> | undefined;
      const stopped = await suite.context.run("before = 2\nprint('go', flush=True)\nwhile True: pass", {
        onEvent: ({ type }) => {
          if (type === "stdout") stopping ??= suite.sandbox.interrupt(suite.context.id);
        },
      });
      expect(stopped.status).toBe("interrupted");
      await stopping;
      expect((await suite.context.run("before")).value).toBe("2");
    });

    test("an interrupt when nothing runs does nothing", async () => {
      await suite.context.run("before = 3");
      await suite.sandbox.interrupt(suite.context.id);
      expect((await suite.context.run("before")).value).toBe("3");
    });

    test("code that swallows every interrupt is ended, and the next interpreter works", async () => {
      const own = await openContext();
      const lost = await own.run(
        "import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass",
        { timeoutMs: 300 },
      );
      expect(lost.status).toBe("lost");
      await own.open();
      expect((await own.run("1 + 1")).value).toBe("2");
    });
  });

  describe("data and charts", () => {
    test("a data frame shows a few rows and an HTML form", async () => {
      const { all } = await suite.context.run("import pandas\npandas.DataFrame({'n': range(20)})");
      expect(all("result")[0]!.text).toMatch(/n\n0 +0\n[^]*\[20 rows x 1 columns\]/);
      expect(all("result")[0]!.text.split("\n").length).toBeLessThan(12);
      expect(all("result")[0]!.data["text/html"]).toContain("<table");
    });

    test("a figure is one image, shown or not", async () => {
      const own = await openContext();
      for (const show of ["", "\nplt.show()"]) {
        const outcome = await own.run(`import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])${show}`);
        expect(outcome.all("artifact")).toMatchObject([{ kind: "image", mime: "image/png" }]);
        const png = await own.get(outcome.all("artifact")[0]!.file);
        expect(Array.from(png!.bytes.subarray(0, 4))).toEqual([0x89, 0x50, 0x4e, 0x47]);
      }
    });
  });
}

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { forEachEngine } from "./engines.ts";
import { startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

forEachEngine((engine) => {
  let sandbox: Sandbox;
  let context: TestContext;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine });
    context = await sandbox.context();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  describe("the value of a cell", () => {
    test.each([
      ["1+1", "2"],
      ["x='Hello'", "'Hello'"],
      ["greeting = 'Hi'\ngreeting += '!'", "'Hi!'"],
      ["y=5; z=6", "6"],
      ["(1, 'two')", "(1, 'two')"],
      ["n: int = 7", "7"],
      ["1;", "1"],
      ["import asyncio\nawait asyncio.sleep(0.01, 'waited')", "'waited'"],
      ["asyncio.run(asyncio.sleep(0.01, 'ran'))", "'ran'"],
      ["{'a': [1, 2]}", "{'a': [1, 2]}"],
      ["'é\\U0001F600'", "'é😀'"],
    ])("%s shows %s", async (code, result) => {
      const outcome = await context.run(code);
      expect(outcome.result).toBe(result);
      expect(outcome.done?.status).toBe("success");
    });

    test.each([
      "a, b = (1, 2)",
      "for i in range(3): i",
      "None",
      "t = None",
      "# nothing",
      "",
      "exit()",
      "n: int",
    ])("%s shows nothing", async (code) => {
      const outcome = await context.run(code);
      expect(outcome.events.map(({ type }) => type)).toEqual(["started", "done"]);
      expect(outcome.done?.status).toBe("success");
    });

    test("is abridged before it could fill the memory", async () => {
      const blob = await context.run("blob = bytearray(80_000_000)");
      expect(blob.result!.length).toBeLessThan(200_000);
      expect(blob.result).toMatch(/… \d+ more$/);
      expect((await context.run("list(range(1_000_000))")).result).toMatch(/1000000 items/);
      expect((await context.run("'a' * 150_000")).result).toMatch(/… 50000 more$/);
      expect((await context.run("10 ** 1_000_000")).result).toMatch(/^<int of \d+ bits>$/);
      expect((await context.run("del blob\nclass B:\n  def __repr__(self): 1/0\nB()")).result).toMatch(
        /ZeroDivision/,
      );
    });

    test("has rich forms", async () => {
      const code =
        "class H:\n  def __repr__(self): return 'plain'\n  def _repr_html_(self): return '<b>rich</b>'\n";
      const outcome = await context.run(`${code}display(H())\nH()`);
      expect(outcome.all("display")[0]?.data).toEqual({ "text/plain": "plain", "text/html": "<b>rich</b>" });
      expect(outcome.all("result")[0]).toMatchObject({ text: "plain", data: { "text/html": "<b>rich</b>" } });
    });
  });

  describe("output", () => {
    test("keeps its order and its streams", async () => {
      const outcome = await context.run("import sys\nprint('a'); print('b')\nprint('oops', file=sys.stderr)");
      expect(outcome.stdout).toBe("a\nb\n");
      expect(outcome.stderr).toBe("oops\n");
      expect(outcome.result).toBeUndefined();
    });

    test("is cut at its limit, visibly", async () => {
      const outcome = await context.run("for _ in range(300): print('x' * 9_999)");
      expect(outcome.stdout.length).toBeLessThan(1024 * 1024 + 100);
      expect(outcome.stdout).toMatch(/… 1951424 more characters\n$/);
      expect(outcome.done).toMatchObject({ status: "success", truncated: true });
    });
  });

  test("what is shown has a limit too, and the result still comes", async () => {
    const code =
      "class H:\n  def _repr_html_(self): return 'h' * 1_000_000\nfor _ in range(200): display(H())\n'end'";
    const outcome = await context.run(code);
    expect(outcome.all("display").length).toBeLessThan(26);
    expect(outcome.result).toBe("'end'");
    expect(outcome.done).toMatchObject({ status: "success", truncated: true });
  });

  describe("a failure", () => {
    test("names the user's own lines and nothing of ours", async () => {
      const { error, done } = await context.run("def f(n):\n    return 1 / n\n\nf(0)");
      expect(done?.status).toBe("failure");
      expect(error).toMatchObject({ name: "ZeroDivisionError", message: "division by zero" });
      expect(error?.traceback).toMatch(/line 4, in <module>\n {4}f\(0\)/);
      expect(error?.traceback).toMatch(/line 2, in f\n {4}return 1 \/ n/);
      expect(error?.traceback).not.toMatch(/runner|taskweaver/);
      expect(error?.traceback.trimEnd().split("\n").at(-1)).toBe("ZeroDivisionError: division by zero");
    });

    test("keeps the last line of a long story whole", async () => {
      const { error } = await context.run("raise ValueError('line\\n' * 9_000 + 'm' * 30_000 + 'end')");
      expect(error?.traceback.includes("characters left out")).toBe(true);
      expect(error?.traceback.endsWith(`\n${"m".repeat(30_000)}end\n`)).toBe(true);
    });

    test.each([
      ["x = 1\ny = = 2", "SyntaxError", /line 2/],
      ["x = 1\n!ls -l", "SyntaxError", /Shell commands are not available/],
      ["%matplotlib inline", "SyntaxError", /Notebook magics are not available/],
      ["input('name?')", "RuntimeError", /input\(\) is not available/],
      ["import sys\nsys.exit(3)", "SystemExit", /SystemExit: 3/],
      ["def f(): f()\nf()", "RecursionError", /maximum recursion depth/],
      ["b = bytearray(400_000_000)", "MemoryError", /MemoryError/],
      ["raise KeyboardInterrupt", "KeyboardInterrupt", /KeyboardInterrupt/],
    ])("%s is a %s", async (code, name, story) => {
      const { error, done } = await context.run(code);
      expect(done?.status).toBe("failure");
      expect(error?.name).toBe(name);
      expect(error?.traceback).toMatch(story);
      expect((await context.run("1+1")).result).toBe("2");
    });

    test("of a pip line says what isn't there and what is, at its own line", async () => {
      const outcome = await context.run(
        "print('first')\nif True:\n    !pip install not-there rich_text_of_nobody\nprint('never')",
      );
      expect(outcome.stdout).toBe("first\n");
      expect(outcome.error?.name).toBe("PackageUnavailableError");
      expect(outcome.error?.message).toMatch(/^not-there, rich_text_of_nobody can't be installed here/);
      expect(outcome.error?.message).toMatch(
        /Only Python's own library is there|there are: .*Use one of these/,
      );
      expect(outcome.error?.traceback).toMatch(/line 3[^]*!pip install/);
    });

    test.each(["git+https://example.com/x", "-r requirements.txt", "json && ls", ""])(
      "of a pip line that asks for %j says that it takes names",
      async (words) => {
        const { error } = await context.run(`!pip install ${words}`);
        expect(error?.message).toMatch(/Only packages by their names can be asked for/);
      },
    );

    test("after a pip line has its own line number", async () => {
      const outcome = await context.run("%pip install -q json sqlite3\nif True:\n  !pip install csv\n1 / 0");
      expect(outcome.stdout).toBe(
        "json is there already.\nsqlite3 is there already.\ncsv is there already.\n",
      );
      expect(outcome.error?.traceback).toMatch(/line 4[^]*1 \/ 0/);
    });

    test("is no line of a string that looks like one", async () => {
      const outcome = await context.run("text = '''\n!pip install json\n!ls\n'''\n!pip install json\ntext");
      expect([outcome.stdout, outcome.result]).toEqual([
        "json is there already.\n",
        String.raw`'\n!pip install json\n!ls\n'`,
      ]);
    });

    test("leaves what came before it", async () => {
      await context.run("kept = 'yes'\nraise ValueError");
      expect((await context.run("kept")).result).toBe("'yes'");
    });
  });

  describe("state", () => {
    test("is kept from cell to cell, and summed up", async () => {
      const own = await sandbox.context();
      await own.run("import math\nnumbers = [1, 2]\ndef double(n): return n * 2");
      const outcome = await own.run("total = double(sum(numbers)); _hidden = 1; None");
      expect(outcome.result).toBeUndefined();
      expect(outcome.done?.variables).toEqual([
        { name: "numbers", type: "list", summary: "2 items" },
        { name: "double", type: "function", summary: "" },
        { name: "total", type: "int", summary: "6" },
      ]);
    });

    test("is a context's own, its randomness too", async () => {
      const [one, other] = [await sandbox.context(), await sandbox.context()];
      await one.run("mine = 1");
      expect((await other.run("mine")).error?.name).toBe("NameError");
      const draw = "import random; random.random()";
      expect((await one.run(draw)).result).not.toBe((await other.run(draw)).result);
    });
  });

  describe("files that a cell leaves", () => {
    test("are reported and become artifacts", async () => {
      const own = await sandbox.context();
      const code =
        "import os\nos.mkdir('out')\nopen('out/t.csv','w').write('a,b')\nimport time; time.sleep(0.02)\nopen('p.png','wb').write(b'1234')\nNone";
      const { done, artifacts } = await own.run(code);
      const files = done!.files_changed.map(({ path, size }) => [path, size]);
      expect(files.toSorted()).toEqual([
        ["out/t.csv", 3],
        ["p.png", 4],
      ]);
      const facts = artifacts.map(({ name, kind, file, mime, size, preview }) => ({
        name,
        kind,
        file,
        mime,
        size,
        preview,
      }));
      expect(facts).toEqual([
        { name: "out/t.csv", kind: "df", file: "out/t.csv", mime: "text/csv", size: 3, preview: "a,b" },
        { name: "p.png", kind: "image", file: "p.png", mime: "image/png", size: 4, preview: "" },
      ]);
      expect((await own.run("1")).done?.files_changed).toEqual([]);
      expect((await own.run("open('p.png','ab').write(b'5')")).done?.files_changed).toMatchObject([
        { path: "p.png", size: 5 },
      ]);
      expect(await (await own.file("out/t.csv")).text()).toBe("a,b");
    });
  });
});

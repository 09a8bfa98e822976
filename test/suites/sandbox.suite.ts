import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ContextLostError,
  type CallAnswer,
  type ContextInfo,
  type Execution,
  type ExecutionEvent,
  type OutsideCall,
  type Sandbox,
  type SandboxPlugin,
} from "../../src/sandbox/sandbox.ts";
import { EDGE_PLUGIN, NOTES_PLUGIN, SUM_PLUGIN } from "./sandbox-plugins.ts";

/** What every place where Python runs must do, whatever driver speaks with it. `create` gives a driver that knows
 *  nothing of earlier ones, as in another isolate. A test that is skipped is named by its title, with the reason. */
export function testSandbox(
  driver: string,
  create: () => Sandbox,
  { skip = [] }: { skip?: { reason: string; tests: string[] }[] } = {},
): void {
  describe(`a sandbox: ${driver}`, () => {
    let sandbox: Sandbox;
    let context: TestContext;
    const opened: TestContext[] = [];
    let count = 0;

    async function openContext(options: OpenOptions = {}): Promise<TestContext> {
      const made = await createTestContext(sandbox, `suite-${Date.now()}-${++count}`, options);
      opened.push(made);
      return made;
    }

    function test(title: string, expectation: () => Promise<void>): void {
      const reason = skip.find(({ tests }) => tests.includes(title))?.reason;
      it(`${title}`, async ({ skip: skipTest }) => {
        skipTest(reason !== undefined, reason);
        await expectation();
      });
    }

    beforeAll(async () => {
      sandbox = create();
      context = await openContext();
    });
    afterAll(async () => {
      for (const { id } of opened) await sandbox.close(id);
    });

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
          const outcome = await context.run(code);
          expect([outcome.error, outcome.value, outcome.stdout]).toEqual([undefined, value, stdout]);
          expect(outcome.status).toBe("success");
        });
      }

      test("rich forms come with the value and with display", async () => {
        const outcome = await context.run(
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
        await context.run(code, {
          onEvent: ({ type }) => type === "stdout" && void times.push(Date.now()),
        });
        expect(times.length).toBeGreaterThanOrEqual(2);
        expect(times.at(-1)! - times[0]!).toBeGreaterThan(300);
      });

      test("stderr is told from stdout", async () => {
        const outcome = await context.run("import sys\nprint('out')\nprint('err', file=sys.stderr)");
        expect([outcome.stdout, outcome.stderr]).toEqual(["out\n", "err\n"]);
      });

      test("too much output is cut visibly, and the interpreter lives", async () => {
        const outcome = await context.run("for _ in range(500): print('x' * 10_000)\n'done'");
        expect(outcome.stdout.length).toBeGreaterThan(900_000);
        expect(outcome.stdout.length).toBeLessThan(1_200_000);
        expect(outcome.stdout).toMatch(/… \d+ more characters\n$/);
        expect(outcome.value).toBe("'done'");
      });

      test("a large display arrives whole", async () => {
        const outcome = await context.run(
          "class Big:\n    def _repr_html_(self): return 'x' * 3_000_000\nBig()",
        );
        expect(outcome.all("result")[0]!.data["text/html"]!.length).toBe(3_000_000);
      });

      test("variables are summed up", async () => {
        const { done } = await context.run("numbers = [1, 2, 3]\nword = 'ab'\n_hidden = 1");
        const variables = done?.variables.filter(({ name }) => /^(numbers|word|_hidden)$/.test(name));
        expect(variables).toEqual([
          { name: "numbers", type: "list", summary: "3 items" },
          { name: "word", type: "str", summary: "'ab'" },
        ]);
      });
    });

    describe("what goes wrong in a cell", () => {
      test("an error shows the user's line, and what was set before it is kept", async () => {
        const failed = await context.run("kept = 7\ndef f():\n    return 1 / 0\nf()");
        expect(failed.status).toBe("failure");
        expect(failed.error).toMatchObject({ name: "ZeroDivisionError", message: "division by zero" });
        expect(failed.error!.traceback).toMatch(
          /line 3, in f[^]*return 1 \/ 0[^]*ZeroDivisionError: division by zero\n$/,
        );
        expect(failed.error!.traceback).not.toMatch(/runner\.py|kernel\.py|ipykernel/);
        expect((await context.run("kept")).value).toBe("7");
      });

      test("a syntax error names its line", async () => {
        const { error, status } = await context.run("fine = 1\ndef (:\n");
        expect([status, error?.name]).toEqual(["failure", "SyntaxError"]);
        expect(error!.traceback).toContain("line 2");
      });

      test("a line that asks for packages tells what is there, and is no line of a string", async () => {
        const asked = await context.run("%pip install -q json\ns = '''\n!pip install x\n'''\n1 / 0");
        expect(asked.stdout).toBe("json is there already.\n");
        expect(asked.error?.traceback).toMatch(/line 5[^]*1 \/ 0/);
        const missing = await context.run("!pip install package-of-nobody");
        expect(missing.error?.message).toMatch(/^package-of-nobody can't be installed here/);
      });

      test("nobody can type an answer", async () => {
        expect((await context.run("input('name? ')")).error?.message).toMatch(/not available/);
      });

      test("a deadline stops it, and variables are kept", async () => {
        const stopped = await context.run("before = 1\nwhile True: pass", { timeoutMs: 500 });
        expect(stopped.status).toBe("timeout");
        expect(stopped.error?.name).toBe("TimeoutError");
        expect((await context.run("before")).value).toBe("1");
      });

      test("sleeping code is stopped as well", async () => {
        const started = Date.now();
        expect((await context.run("import time; time.sleep(30)", { timeoutMs: 300 })).status).toBe("timeout");
        expect(Date.now() - started).toBeLessThan(5000);
      });

      test("an interrupt stops it, and variables are kept", async () => {
        let stopping: Promise<void> | undefined;
        const stopped = await context.run("before = 2\nprint('go', flush=True)\nwhile True: pass", {
          onEvent: ({ type }) => {
            if (type === "stdout") stopping ??= sandbox.interrupt(context.id);
          },
        });
        expect(stopped.status).toBe("interrupted");
        await stopping;
        expect((await context.run("before")).value).toBe("2");
      });

      test("an interrupt when nothing runs does nothing", async () => {
        await context.run("before = 3");
        await sandbox.interrupt(context.id);
        expect((await context.run("before")).value).toBe("3");
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

    describe("the interpreter's memory", () => {
      test("is one for each context, and stays", async () => {
        const [first, second] = [await openContext(), await openContext()];
        expect(first.info.created).toBe(true);
        await first.run("mine = 1");
        expect((await second.run("mine")).error?.name).toBe("NameError");
        const again = await first.open();
        expect(again).toMatchObject({ created: false, generation: first.info.generation });
        expect((await first.run("mine")).value).toBe("1");
      });

      test("has another generation once it was lost; files are kept", async () => {
        const own = await openContext();
        await own.run("open('kept.txt', 'w').write('kept')\ngone = 1");
        const id = own.newId();
        const lost = await own.run("print('once', flush=True)\nimport os\nos._exit(3)", { executionId: id });
        expect(lost.status).toBe("lost");
        expect((await own.run("", { executionId: id })).status).toBe("lost");
        const before = own.info.generation;
        await expect(own.run("open('ran.txt', 'w')", { generation: before })).rejects.toThrow(
          ContextLostError,
        );
        expect(await own.open()).toMatchObject({ created: true });
        expect(own.info.generation).not.toBe(before);
        await expect(own.run("open('ran.txt', 'w')", { generation: before })).rejects.toThrow(
          ContextLostError,
        );
        expect((await own.run("gone")).error?.name).toBe("NameError");
        expect((await own.run("import os\nsorted(os.listdir())")).value).toBe("['kept.txt']");
      });

      test("is gone with its files after close", async () => {
        const own = await openContext();
        await own.run("x = 1\nopen('a.txt', 'w').write('a')");
        await sandbox.close(own.id);
        await own.open();
        expect((await own.run("x")).error?.name).toBe("NameError");
        expect(await sandbox.listFiles(own.id)).toEqual([]);
        await sandbox.close(`never-${own.id}`);
      });
    });

    describe("an execution's id", () => {
      test("never runs twice, and tells the same again", async () => {
        const own = await openContext();
        const id = own.newId();
        const code = "n = globals().get('n', 0) + 1\nprint('run', n)\nn";
        const first = await own.run(code, { executionId: id });
        const other = create();
        const second = await createRun(other, own)("something = else", { executionId: id });
        expect(second.events).toEqual(first.events);
        expect([second.value, (await own.run("n")).value]).toEqual(["1", "1"]);
      });

      test("is attached to while it runs, by whoever comes later", async () => {
        const own = await openContext();
        const id = own.newId();
        const code = "import time\nprint('early', flush=True)\ntime.sleep(2)\nprint('late')\n'end'";
        let attached: Promise<Outcome> | undefined;
        const first = own.run(code, {
          executionId: id,
          onEvent: ({ type }) => {
            if (type === "stdout") attached ??= createRun(create(), own)("never = 1", { executionId: id });
          },
        });
        const outcomes = [await first, await attached!];
        for (const outcome of outcomes) {
          expect([outcome.stdout, outcome.value, outcome.status]).toEqual([
            "early\nlate\n",
            "'end'",
            "success",
          ]);
        }
        expect((await own.run("never")).error?.name).toBe("NameError");
      });

      test("is told on to another driver when the first goes away", async () => {
        const own = await openContext();
        const id = own.newId();
        const leaving = new AbortController();
        const code = "import time\nprint('early', flush=True)\ntime.sleep(1)\n'went on'";
        const left = own.run(code, {
          executionId: id,
          signal: leaving.signal,
          onEvent: ({ type }) => type === "stdout" && leaving.abort(new Error("left")),
        });
        await expect(left).rejects.toThrow(/left|abort/i);
        const other = createRun(create(), own);
        const found = await other("", { executionId: id });
        expect([found.stdout, found.value]).toEqual(["early\n", "'went on'"]);
      });

      test("an interpreter is opened again while its code runs", async () => {
        const own = await openContext();
        let again: Promise<ContextInfo> | undefined;
        const ran = await own.run("import time\nprint('go', flush=True)\ntime.sleep(1)\n'through'", {
          onEvent: ({ type }) => {
            if (type === "stdout") again ??= create().open(own.id, { plugins: [], variables: { new: "1" } });
          },
        });
        expect(await again).toMatchObject({ generation: own.info.generation, created: false });
        expect(ran.value).toBe("'through'");
      });
    });

    describe("files", () => {
      test("come and go as they are, in folders too", async () => {
        const own = await openContext();
        const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 256);
        for (const [path, content] of [
          ["data/large.bin", bytes],
          ["ünï cödé #1%.txt", new TextEncoder().encode("ä")],
          ["empty.txt", new Uint8Array()],
        ] as const) {
          await own.put(path, content);
          const found = await own.get(path);
          expect(found?.size).toBe(content.length);
          expect(found!.bytes.every((byte, index) => byte === content[index])).toBe(true);
        }
        expect((await sandbox.listFiles(own.id)).toSorted()).toEqual(
          ["data/large.bin", "empty.txt", "ünï cödé #1%.txt"].toSorted(),
        );
        expect((await own.run("import os\nos.path.getsize('data/large.bin')")).value).toBe("5000000");
        await own.put("empty.txt", new TextEncoder().encode("now"));
        expect((await own.run("open('empty.txt').read()")).value).toBe("'now'");
        expect(await sandbox.getFile(own.id, "missing.txt")).toBeUndefined();
      });

      test("stay within the working folder", async () => {
        const own = await openContext();
        for (const path of ["../outside.txt", "a/../../outside.txt", "/etc/outside.txt", "a\\..\\b"]) {
          await expect(own.put(path, new TextEncoder().encode("x"))).rejects.toThrow(/.+/);
        }
      });

      test("that a cell makes are artifacts, and told as changed", async () => {
        const own = await openContext();
        const made = await own.run("open('table.csv', 'w').write('a,b\\n1,2\\n')");
        expect(made.all("artifact")).toMatchObject([
          {
            name: "table.csv",
            kind: "df",
            file: "table.csv",
            mime: "text/csv",
            size: 8,
            preview: "a,b\n1,2\n",
          },
        ]);
        expect(made.done?.filesChanged).toMatchObject([{ path: "table.csv", size: 8 }]);
        expect((await own.run("1")).all("artifact")).toEqual([]);
      });
    });

    describe("plugins", () => {
      test("of TaskWeaver's format run, with artifacts, logs, configuration and session variables", async () => {
        const own = await openContext({ plugins: [NOTES_PLUGIN, SUM_PLUGIN], variables: { user: "Ada" } });
        expect(own.info.plugins).toEqual([
          { name: "notes", ok: true },
          { name: "add", ok: true },
        ]);
        const outcome = await own.run("notes('hello'), add(2)");
        expect(outcome.value).toBe("(('obj_1_txt_0000', 'Ada', 'secret', 1), 3)");
        expect(outcome.all("artifact")).toMatchObject([
          { id: "obj_1_txt_0000", name: "note", kind: "txt", description: "A note", preview: "> hello" },
        ]);
        expect(await own.text(outcome.all("artifact")[0]!.file)).toBe("> hello");
        expect(outcome.all("log")).toMatchObject([
          { level: "info", tag: "Plugin-notes", message: "noted" },
          { tag: "Plugin-add" },
        ]);
        expect(outcome.all("session_var")).toEqual([
          { type: "session_var", name: "last_note", value: "hello" },
        ]);
        const next = await own.run("notes('again')[3], notes.ctx.get_session_var('last_note')");
        expect(next.value).toBe("(2, 'again')");
      });

      test("that can't be loaded are reported, and the others work", async () => {
        const broken = { ...SUM_PLUGIN, name: "broken", code: "import not_there" };
        const own = await openContext({ plugins: [broken, SUM_PLUGIN] });
        expect(own.info.plugins).toMatchObject([
          { name: "broken", ok: false, error: expect.stringContaining("not_there") },
          { name: "add", ok: true },
        ]);
        expect((await own.run("add(1)")).value).toBe("2");
      });

      test("and variables follow each opening; what is unchanged keeps its state", async () => {
        const own = await openContext({ plugins: [NOTES_PLUGIN], variables: { user: "Ada" } });
        await own.run("notes('one')");
        await own.open({ plugins: [NOTES_PLUGIN], variables: { user: "Grace" } });
        expect((await own.run("notes('two')[1:]")).value).toBe("('Grace', 'secret', 2)");
        await own.open({
          plugins: [{ ...NOTES_PLUGIN, config: { mark: "*" }, hash: "other" }],
          variables: {},
        });
        expect((await own.run("notes('three')[1:]")).value).toBe("(None, 'secret', 1)");
        await own.open({ plugins: [], variables: {} });
        expect((await own.run("notes")).error?.name).toBe("NameError");
      });

      test("come back after the memory was lost", async () => {
        const own = await openContext({ plugins: [SUM_PLUGIN] });
        await own.run("import os; os._exit(1)");
        await own.open({ plugins: [SUM_PLUGIN], variables: {} });
        expect((await own.run("add(1, b=5)")).value).toBe("6");
      });
    });

    describe("calls to the outside", () => {
      test("are answered while the code waits", async () => {
        const own = await openContext({ plugins: [EDGE_PLUGIN] });
        const calls: OutsideCall[] = [];
        const onCall = async (call: OutsideCall): Promise<CallAnswer> => {
          calls.push(call);
          return { value: { double: Number(call.args[0]) * 2, text: "ä\n".repeat(1000) } };
        };
        const outcome = await own.run(
          "print('before')\nfirst = lookup(4, unit='m')\nlen(first['text']), first['double'], lookup(5)['double']",
          { onCall },
        );
        expect(outcome.value).toBe("(2000, 8, 10)");
        expect(calls).toMatchObject([
          { name: "lookup", args: [4], kwargs: { unit: "m" } },
          { name: "lookup", args: [5], kwargs: {} },
        ]);
      });

      test("raise what they failed with", async () => {
        const own = await openContext({ plugins: [EDGE_PLUGIN] });
        const onCall = async () => ({ error: { name: "ValueError", message: "not so" } });
        const { error } = await own.run("lookup(1)", { onCall });
        expect(error).toMatchObject({ name: "ValueError", message: "lookup: not so" });
        expect((await own.run("lookup(1)")).error?.message).toMatch(/no such plugins/);
      });

      test("end with the cell's deadline", async () => {
        const own = await openContext({ plugins: [EDGE_PLUGIN] });
        const never = () => new Promise<CallAnswer>(() => {});
        expect((await own.run("lookup(1)", { onCall: never, timeoutMs: 500 })).status).toBe("timeout");
        const onCall = async () => ({ value: "fine" });
        expect((await own.run("lookup(2)", { onCall })).value).toBe("'fine'");
      });

      test("that were answered are not made again when their execution is told again", async () => {
        const own = await openContext({ plugins: [EDGE_PLUGIN] });
        let made = 0;
        const onCall = async () => ({ value: ++made });
        const id = own.newId();
        let attached: Promise<Outcome> | undefined;
        const first = await own.run(
          "import time\nn = lookup(1)\nprint('got', n, flush=True)\ntime.sleep(1.5)\nn + lookup(2)",
          {
            executionId: id,
            onCall,
            onEvent: ({ type }) => {
              if (type === "stdout") attached ??= createRun(create(), own)("", { executionId: id });
            },
          },
        );
        expect([first.value, first.value && made]).toEqual(["3", 2]);
        expect((await attached)!.stdout).toBe("got 1\n");
        expect((await createRun(create(), own)("", { executionId: id, onCall })).value).toBe("3");
        expect(made).toBe(2);
      });
    });

    describe("data and charts", () => {
      test("a data frame shows a few rows and an HTML form", async () => {
        const { all } = await context.run("import pandas\npandas.DataFrame({'n': range(20)})");
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
  });
}

type OpenOptions = { plugins?: SandboxPlugin[]; variables?: Record<string, string> };
type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;
type RunOptions = Partial<Execution> & { onEvent?: (event: ExecutionEvent) => void };
type TestContext = Awaited<ReturnType<typeof createTestContext>>;
type Outcome = ReturnType<typeof outcomeOf>;

/** Runs code in a context by way of any driver. */
function createRun(sandbox: Sandbox, { id, newId }: { id: string; newId: () => string }) {
  return async (code: string, { onEvent, ...options }: RunOptions = {}): Promise<Outcome> => {
    const events: ExecutionEvent[] = [];
    const execution = { executionId: newId(), code, timeoutMs: 20_000, ...options };
    for await (const event of sandbox.execute(id, execution)) {
      events.push(event);
      onEvent?.(event);
    }
    return outcomeOf(events);
  };
}

async function createTestContext(sandbox: Sandbox, id: string, options: OpenOptions) {
  let executions = 0;
  const newId = () => `${id}-${++executions}-${Math.random()}`;
  const open = (wanted: OpenOptions = {}) => sandbox.open(id, { plugins: [], variables: {}, ...wanted });
  const context = {
    id,
    newId,
    info: await open(options),
    async open(wanted: OpenOptions = {}) {
      return (context.info = await open(wanted));
    },
    run: createRun(sandbox, { id, newId }),
    put: (path: string, bytes: Uint8Array) =>
      sandbox.putFile(id, path, new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), bytes.length),
    async get(path: string) {
      const file = await sandbox.getFile(id, path);
      return file && { size: file.size, bytes: new Uint8Array(await new Response(file.body).arrayBuffer()) };
    },
    text: async (path: string) => new TextDecoder().decode((await context.get(path))?.bytes),
  };
  return context;
}

function outcomeOf(events: ExecutionEvent[]) {
  const all = <Type extends ExecutionEvent["type"]>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const text = (type: "stdout" | "stderr") =>
    all(type)
      .map((event) => event.text)
      .join("");
  const done = all("done")[0];
  return {
    events,
    all,
    done,
    status: done?.status ?? all("lost")[0]?.type,
    stdout: text("stdout"),
    stderr: text("stderr"),
    value: all("result")[0]?.text,
    error: all("error")[0],
  };
}

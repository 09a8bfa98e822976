import { describe, expect } from "vitest";
import { ContextLostError, type ContextInfo } from "../../../src/sandbox/sandbox.ts";
import { createRun, type Outcome } from "./test-context.ts";
import type { SandboxSuite } from "./suite.ts";

/** What an interpreter remembers, and what becomes of executions. */
export function testMemory(suite: SandboxSuite): void {
  const { create, openContext, test } = suite;
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
      await expect(own.run("open('ran.txt', 'w')", { generation: before })).rejects.toThrow(ContextLostError);
      expect(await own.open()).toMatchObject({ created: true });
      expect(own.info.generation).not.toBe(before);
      await expect(own.run("open('ran.txt', 'w')", { generation: before })).rejects.toThrow(ContextLostError);
      expect((await own.run("gone")).error?.name).toBe("NameError");
      expect((await own.run("import os\nsorted(os.listdir())")).value).toBe("['kept.txt']");
    });

    test("is gone with its files after close", async () => {
      const own = await openContext();
      await own.run("x = 1\nopen('a.txt', 'w').write('a')");
      await suite.sandbox.close(own.id);
      await own.open();
      expect((await own.run("x")).error?.name).toBe("NameError");
      expect(await suite.sandbox.listFiles(own.id)).toEqual([]);
      await suite.sandbox.close(`never-${own.id}`);
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
}

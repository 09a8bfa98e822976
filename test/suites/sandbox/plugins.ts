import { describe, expect } from "vitest";
import type { CallAnswer, OutsideCall } from "../../../src/sandbox/sandbox.ts";
import { EDGE_PLUGIN, NOTES_PLUGIN, SUM_PLUGIN } from "./plugin-samples.ts";
import { createRun, type Outcome } from "./test-context.ts";
import type { SandboxSuite } from "./suite.ts";

/** Plugins, and their calls to the outside. */
export function testPlugins(suite: SandboxSuite): void {
  const { create, openContext, test } = suite;
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
      const never = () => new Promise<CallAnswer>(() => {});
      const id = own.newId();
      let attached: Promise<Outcome> | undefined;
      const first = await own.run(
        "import time\nn = lookup(1)\nprint('got', n, flush=True)\ntime.sleep(1.5)\nn + lookup(2)",
        {
          executionId: id,
          onCall,
          onEvent: ({ type }) => {
            // It leaves what is still asked to the first one: of two that answer, either may be heard.
            if (type === "stdout")
              attached ??= createRun(create(), own)("", { executionId: id, onCall: never });
          },
        },
      );
      expect([first.value, first.value && made]).toEqual(["3", 2]);
      expect((await attached)!.stdout).toBe("got 1\n");
      expect((await createRun(create(), own)("", { executionId: id, onCall })).value).toBe("3");
      expect(made).toBe(2);
    });
  });
}

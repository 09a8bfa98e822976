import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ExecutionEvent } from "../../sandbox/protocol.ts";
import { EDGE_SOURCE } from "../../dev/content/edge-plugins.ts";
import { forEachEngine } from "./engines.ts";
import { eventsOf, outcomeOf, readEvents, startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const lookup = { name: "lookup", code: EDGE_SOURCE };

forEachEngine((engine) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  const answer = (context: TestContext, execution: string, call: string, body: unknown) =>
    sandbox.request(`${context.path}/executions/${execution}/calls/${call}`, {
      method: "POST",
      body: JSON.stringify(body),
    });

  /** Runs code whose calls are answered in turn. */
  async function runAnswered(context: TestContext, code: string, answers: unknown[], options = {}) {
    const id = randomUUID();
    const events: ExecutionEvent[] = [];
    const left = [...answers];
    for await (const event of eventsOf(await context.start(code, { execution_id: id, ...options }))) {
      events.push(event);
      if (event.type !== "call" || left.length === 0) continue;
      const { status } = await answer(context, id, event.call_id, left.shift());
      expect(status).toBe(204);
    }
    return { ...outcomeOf(events), id };
  }

  test("a call leaves with its arguments and comes back with its value", async () => {
    await using context = await sandbox.context({ plugins: [lookup] });
    const code = "a = lookup('Köln', limit=2, when={'day': [1, 2.5, None, True]})\nb = lookup()\n(a, b)";
    const { all, result } = await runAnswered(context, code, [
      { value: { rows: [{ name: "ä", n: 1 }] } },
      { value: null },
    ]);
    expect(all("call")).toMatchObject([
      { name: "lookup", args: ["Köln"], kwargs: { limit: 2, when: { day: [1, 2.5, null, true] } } },
      { name: "lookup", args: [], kwargs: {} },
    ]);
    expect(result).toBe("({'rows': [{'name': 'ä', 'n': 1}]}, None)");
  });

  test("what it comes to may be an error, which is raised where the call was made", async () => {
    await using context = await sandbox.context({ plugins: [lookup] });
    const code =
      "def attempt():\n    try: lookup()\n    except Exception as e: return type(e).__name__, str(e)\n";
    const { result } = await runAnswered(context, `${code}attempt(), attempt(), attempt()`, [
      { error: "no luck" },
      { error: { name: "ValueError", message: "limit: too much" } },
      { error: { name: "SomethingElse", message: "why" } },
    ]);
    expect(result).toBe(
      "(('EdgePluginError', 'lookup: no luck'), ('ValueError', 'lookup: limit: too much'), ('EdgePluginError', 'lookup: why'))",
    );
    const uncaught = await runAnswered(context, "lookup()", [{ error: "no luck" }]);
    expect(uncaught.error).toMatchObject({ name: "EdgePluginError", message: "lookup: no luck" });
    expect((await context.run("lookup(object())")).error?.message).toMatch(/takes numbers, texts, lists/);
  });

  test("large values pass in both directions", async () => {
    await using context = await sandbox.context({ plugins: [lookup] });
    const { result, all } = await runAnswered(context, "len(lookup('ü' * 300_000))", [
      { value: "ß\n".repeat(400_000) },
    ]);
    expect(all("call")[0]?.args[0] === "ü".repeat(300_000)).toBe(true);
    expect(result).toBe("800000");
  });

  test("a call is answered once, and only one that was made", async () => {
    await using context = await sandbox.context({ plugins: [lookup] });
    const id = randomUUID();
    const stream = eventsOf(await context.start("lookup() + lookup()", { execution_id: id }));
    const calls = [];
    let attached: AsyncGenerator<ExecutionEvent> | undefined;
    let seen: ExecutionEvent | undefined;
    for await (const event of stream) {
      if (event.type !== "call") continue;
      calls.push(event.call_id);
      expect((await answer(context, id, "call-99", { value: 0 })).status).toBe(404);
      expect((await answer(context, randomUUID(), event.call_id, { value: 0 })).status).toBe(404);
      expect((await answer(context, id, event.call_id, { value: calls.length })).status).toBe(204);
      // The cell may have ended meanwhile.
      const again = (await answer(context, id, event.call_id, { value: 50 })).status;
      expect(again === 409 || (calls.length === 2 && again === 404)).toBe(true);
      if (attached === undefined) {
        // Whoever attaches now sees which call has its answer already.
        attached = eventsOf(await context.start("", { execution_id: id }));
        for await (seen of attached) if (seen.type === "call") break;
      }
    }
    expect(seen).toMatchObject({ type: "call", answered: true });
    const replayed = outcomeOf(await readEvents(await context.start("", { execution_id: id })));
    expect(replayed.result).toBe("3");
    expect(replayed.all("call").map(({ answered }) => answered)).toEqual([true, true]);
  });

  test("deadlines and interrupts hold while a call waits, and its late answer harms nobody", async () => {
    await using context = await sandbox.context({ plugins: [lookup] });
    const late = await runAnswered(context, "kept = 1\nlookup()", [], { timeout_ms: 300 });
    expect(late.done).toMatchObject({ status: "timeout" });
    const id = randomUUID();
    const events: ExecutionEvent[] = [];
    for await (const event of eventsOf(await context.start("lookup()", { execution_id: id }))) {
      events.push(event);
      if (event.type === "call") await context.post("interrupt");
    }
    expect(outcomeOf(events).done).toMatchObject({ status: "interrupted" });
    expect((await answer(context, id, "call-2", { value: 1 })).status).toBe(404);
    const { result } = await runAnswered(context, "lookup() + kept", [{ value: 41 }]);
    expect(result).toBe("42");
  });

  test("variables that plugins set are told, hold at once and in the next interpreter", async () => {
    const setter = {
      name: "remember",
      code: `from taskweaver.plugin import Plugin, register_plugin
@register_plugin
class Remember(Plugin):
    def __call__(self, name, value):
        self.ctx.set_session_var(name, value)
        return self.ctx.get_session_var(name)
`,
    };
    await using context = await sandbox.context({ plugins: [setter], variables: { user: "Ada" } });
    const outcome = await context.run("remember('count', 3), remember('user', 'Grace')");
    expect(outcome.result).toBe("('3', 'Grace')");
    expect(outcome.all("session_var")).toMatchObject([
      { name: "count", value: "3" },
      { name: "user", value: "Grace" },
    ]);
    await context.post("reset");
    expect((await context.run("remember.ctx.get_session_var('user')")).result).toBe("'Grace'");
    const refused = await context.run("remember('big', 'x' * 10_001)");
    expect(refused.error).toMatchObject({ name: "ValueError" });
    expect((await context.run("remember('none', None)")).error).toMatchObject({ name: "ValueError" });
  });

  test("a plugin finds the variables that it was given, and no others", async () => {
    const reader = {
      name: "reader",
      environment: { API_KEY: "s3cret" },
      code: `from taskweaver.plugin import Plugin, register_plugin
@register_plugin
class Reader(Plugin):
    def __call__(self, name):
        return self.get_env(name)
`,
    };
    await using context = await sandbox.context({ plugins: [reader] });
    expect((await context.run("reader('API_KEY')")).result).toBe("'s3cret'");
    expect((await context.run("reader('PATH')")).error?.message).toMatch(/PLUGIN_reader_PATH is not set/);
    await context.put({ plugins: [{ ...reader, environment: { API_KEY: "another" } }] });
    expect((await context.run("reader('API_KEY')")).result).toBe("'another'");
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { forEachEngine } from "./engines.ts";
import { eventsOf, outcomeOf, readEvents, startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

forEachEngine((engine) => {
  let sandbox: Sandbox;
  /** For what leaves the interpreter alive. */
  let shared: TestContext;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine });
    shared = await sandbox.context();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;

  test("output arrives while the code runs, even before a long computation", async () => {
    const context = shared;
    const startedAt = performance.now();
    const seen = new Map<string, number>();
    const code =
      "print('early')\nimport time\nend = time.monotonic() + 1.2\nwhile time.monotonic() < end: pass\nprint('late')";
    for await (const event of eventsOf(await context.start(code))) {
      seen.set(event.type === "stdout" ? event.text.trim() : event.type, performance.now() - startedAt);
    }
    expect(seen.get("started")).toBeLessThan(400);
    expect(seen.get("early")).toBeLessThan(600);
    expect(seen.get("late")).toBeGreaterThan(1100);
  });

  test("the same execution_id runs once, however often it is posted", async () => {
    const context = shared;
    const code =
      "import time\nopen('log','a').write('ran')\nfor i in range(4):\n  print(i); time.sleep(0.15)\nopen('log').read()";
    const options = { execution_id: "once" };
    const first = await context.start(code, options);
    await sleep(200);
    const live = outcomeOf(await readEvents(await context.start(code, { ...options, after: 1 })));
    const original = outcomeOf(await readEvents(first));
    const stored = outcomeOf(await readEvents(await context.start(code, { ...options, after: 2 })));
    expect(original.result).toBe("'ran'");
    expect(live.events).toEqual(original.events.slice(1));
    expect(stored.events).toEqual(original.events.slice(2));
    const sequence = original.events.map(({ seq }) => seq);
    expect(sequence).toEqual(sequence.toSorted((a, b) => a - b));
    expect(new Set(sequence).size).toBe(sequence.length);
    expect(await readEvents(await sandbox.request(`${context.path}/executions/once`))).toEqual(
      original.events,
    );
    expect(await codeOf(await sandbox.request(`${context.path}/executions/never`))).toBe(
      "execution_not_found",
    );
  });

  test("another execution meanwhile is refused, and nothing of it runs", async () => {
    const context = shared;
    const first = await context.start("import time; time.sleep(0.6)", { execution_id: "long" });
    const second = await context.start("open('wrong','w')");
    expect(second.status).toBe(409);
    expect(((await second.json()) as ErrorBody).error).toMatchObject({
      code: "context_busy",
      details: { execution_id: "long" },
    });
    expect(await context.status()).toMatchObject({ state: "busy", execution_id: "long" });
    await first.text();
    expect((await context.file("wrong")).status).toBe(404);
  });

  test("a client that goes away doesn't cancel", async () => {
    const context = shared;
    const abort = new AbortController();
    const response = await sandbox.request(`${context.path}/executions`, {
      method: "POST",
      signal: abort.signal,
      body: JSON.stringify({
        execution_id: "left",
        code: "import time; time.sleep(0.5)\n'finished'",
        timeout_ms: 9000,
      }),
    });
    await response.body!.getReader().read();
    abort.abort();
    const outcome = outcomeOf(await readEvents(await context.start("", { execution_id: "left" })));
    expect(outcome.result).toBe("'finished'");
  });

  test("a timeout keeps the variables", async () => {
    const context = shared;
    const outcome = await context.run("kept = 41\nwhile True: pass", { timeout_ms: 300 });
    expect(outcome.done?.status).toBe("timeout");
    expect(outcome.error).toMatchObject({ name: "TimeoutError", message: expect.stringContaining("300 ms") });
    expect(outcome.done?.duration_ms).toBeLessThan(900);
    expect((await context.run("kept + 1", { generation: context.info.generation })).result).toBe("42");
  });

  test.each(["while True: pass", "import time; time.sleep(60)", "import asyncio; await asyncio.sleep(60)"])(
    "an interrupt stops %s softly",
    async (code) => {
      const context = shared;
      const response = await context.start(`kept = 1\nprint('on')\n${code}`);
      await sleep(200);
      expect((await context.post("interrupt")).status).toBe(202);
      const outcome = outcomeOf(await readEvents(response));
      expect(outcome.done?.status).toBe("interrupted");
      expect(outcome.error?.name).toBe("KeyboardInterrupt");
      expect((await context.run("kept")).result).toBe("1");
    },
  );

  test("code that swallows every interrupt is killed and lost", async () => {
    const context = await sandbox.context();
    const code = "import time\nwhile True:\n  try: time.sleep(1)\n  except BaseException: pass";
    const outcome = await context.run(code, { timeout_ms: 200 });
    expect(outcome.lost).toMatchObject({ reason: "killed" });
    const { generation } = await context.status();
    expect(generation).not.toBe(context.info.generation);
    const refused = await context.start("open('wrong','w')", { generation: context.info.generation });
    expect(refused.status).toBe(409);
    expect(((await refused.json()) as ErrorBody).error).toMatchObject({
      code: "context_lost",
      details: { generation },
    });
    expect((await context.run("1+1", { generation })).result).toBe("2");
  });

  test("a loop inside C, which nothing interrupts, is killed too", async () => {
    const context = await sandbox.context();
    const outcome = await context.run(
      "import itertools, collections\ncollections.deque(itertools.count(), 0)",
      { timeout_ms: 200 },
    );
    expect(outcome.lost ?? outcome.done?.status).toMatchObject({ reason: "killed" });
  });

  test("os._exit loses the memory, and nothing else", async () => {
    const context = await sandbox.context({ variables: { who: "me" } });
    await context.run("open('kept.txt','w').write('still here')");
    const outcome = await context.run("import os; os._exit(0)");
    expect(outcome.lost).toMatchObject({ reason: "crashed" });
    const again = await context.put({});
    expect(again.status).toBe(201);
    expect(again.info.generation).not.toBe(context.info.generation);
    expect((await context.run("open('kept.txt').read()")).result).toBe("'still here'");
  });

  test("a reset empties the interpreter and keeps the files", async () => {
    const context = await sandbox.context();
    await context.run("x = 1; open('f','w').write('f')");
    expect((await context.post("reset")).status).toBe(200);
    expect((await context.run("x")).error?.name).toBe("NameError");
    expect((await context.status()).generation).not.toBe(context.info.generation);
    expect((await context.file("f")).status).toBe(200);
    expect((await context.post("touch")).status).toBe(200);
  });

  test("attaching again changes nothing, deleting frees all", async () => {
    const context = await sandbox.context();
    await context.run("x = 1");
    const again = await context.put({});
    expect(again).toMatchObject({
      status: 200,
      info: { created: false, generation: context.info.generation },
    });
    const running = await context.start("import time; time.sleep(30)");
    expect((await sandbox.request(context.path, { method: "DELETE" })).status).toBe(204);
    expect(outcomeOf(await readEvents(running)).lost).toMatchObject({ reason: "deleted" });
    expect(await codeOf(await sandbox.request(context.path))).toBe("context_not_found");
    expect(await codeOf(await sandbox.request(`${context.path}/files`))).toBe("context_not_found");
  });
});

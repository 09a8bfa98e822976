import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { eventsOf, outcomeOf, readEvents, startSandbox, waitUntil } from "./support.ts";
import type { Sandbox } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;

test("output arrives while the code runs, even before a long computation", async () => {
  const context = await sandbox.context();
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
  const context = await sandbox.context();
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
  expect(await readEvents(await sandbox.request(`${context.path}/executions/once`))).toEqual(original.events);
  expect(await codeOf(await sandbox.request(`${context.path}/executions/never`))).toBe("execution_not_found");
});

test("another execution meanwhile is refused, and nothing of it runs", async () => {
  const context = await sandbox.context();
  const first = await context.start("import time; time.sleep(0.6)", { execution_id: "long" });
  const second = await context.start("open('wrong','w')");
  expect(second.status).toBe(409);
  expect(((await second.json()) as ErrorBody).error).toMatchObject({
    code: "context_busy",
    details: { execution_id: "long" },
  });
  expect(await context.status()).toMatchObject({ state: "busy", execution_id: "long" });
  await first.text();
  expect(await (await sandbox.request(`${context.path}/files`)).json()).toEqual({ files: [] });
});

test("a client that goes away doesn't cancel", async () => {
  const context = await sandbox.context();
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
  const context = await sandbox.context();
  const outcome = await context.run("kept = 41\nwhile True: pass", { timeout_ms: 300 });
  expect(outcome.done?.status).toBe("timeout");
  expect(outcome.error).toMatchObject({ name: "TimeoutError", message: expect.stringContaining("300 ms") });
  expect(outcome.done?.duration_ms).toBeLessThan(900);
  expect((await context.run("kept + 1", { generation: context.info.generation })).result).toBe("42");
});

test.each(["while True: pass", "import time; time.sleep(60)", "import asyncio; await asyncio.sleep(60)"])(
  "an interrupt stops %s softly",
  async (code) => {
    const context = await sandbox.context();
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
  const code = "while True:\n  try:\n    while True: pass\n  except BaseException: pass";
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
  expect(again).toMatchObject({ status: 200, info: { created: false, generation: context.info.generation } });
  const running = await context.start("import time; time.sleep(30)");
  expect((await sandbox.request(context.path, { method: "DELETE" })).status).toBe(204);
  expect(outcomeOf(await readEvents(running)).lost).toMatchObject({ reason: "deleted" });
  expect(await codeOf(await sandbox.request(context.path))).toBe("context_not_found");
  expect(await codeOf(await sandbox.request(`${context.path}/files`))).toBe("context_not_found");
});

test("the longest idle context makes room; when all are busy the answer is 429", async () => {
  await using small = await startSandbox({ env: { SANDBOX_MAX_CONTEXTS: "2" } });
  const [a, b] = [await small.context(), await small.context()];
  await a.run("x = 'a'");
  const c = await small.context();
  expect(await b.status()).toMatchObject({ state: "suspended", generation: b.info.generation });
  expect((await a.run("x", { generation: a.info.generation })).result).toBe("'a'");
  const busy = [await a.start("import time; time.sleep(1)"), await c.start("import time; time.sleep(1)")];
  const refused = await b.start("1");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await codeOf(refused)).toBe("too_many_contexts");
  await Promise.all(busy.map((response) => response.text()));
});

test("a suspended context goes on with the same memory, in another process", async () => {
  const context = await sandbox.context({ variables: { who: "me" } });
  await context.run(
    "count = 41\nsteps = (n for n in range(9)); next(steps)\ndef up():\n  global count\n  count += 1\n  return count",
  );
  const suspended = await context.post("suspend");
  expect([suspended.status, await suspended.json()]).toMatchObject([200, { state: "suspended" }]);
  const outcome = await context.run("up(), next(steps)", { generation: context.info.generation });
  expect(outcome.result).toBe("(42, 1)");
  expect((await context.run("while True: pass", { timeout_ms: 200 })).done?.status).toBe("timeout");
  await context.post("suspend");
  expect(await context.put({})).toMatchObject({
    status: 200,
    info: { generation: context.info.generation, created: false },
  });

  await context.run("from pyodide.ffi import to_js\nheld = to_js([1])");
  expect(await codeOf(await context.post("suspend"))).toBe("not_suspendable");
  expect((await context.run("count")).result).toBe("42");
});

test("a reset forgets a suspended memory too", async () => {
  const context = await sandbox.context();
  await context.run("x = 1");
  await context.post("suspend");
  await context.post("reset");
  expect((await context.status()).generation).not.toBe(context.info.generation);
  expect((await context.run("x")).error?.name).toBe("NameError");
});

test("an idle context is suspended; one that can't be is ended, and keeps its files", async () => {
  await using hasty = await startSandbox({ env: { SANDBOX_IDLE_SECONDS: "1" } });
  const context = await hasty.context();
  await context.run("x = 5");
  expect(await waitUntil(async () => (await context.status()).state === "suspended")).toBe(true);
  expect((await context.run("x", { generation: context.info.generation })).result).toBe("5");
  await context.run("open('f','w').write('f')\nfrom pyodide.ffi import to_js\nheld = to_js([1])");
  expect(await waitUntil(async () => (await context.status()).state === "ended")).toBe(true);
  expect(await codeOf(await context.start("1", { generation: context.info.generation }))).toBe(
    "context_lost",
  );
  expect((await context.run("open('f').read()")).result).toBe("'f'");
});

import { describe, expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { forEachEngine, onCPython } from "./engines.ts";
import { startSandbox, waitUntil } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code;

forEachEngine((engine) => {
  const resting = engine === "pyodide" ? "suspended" : "ended";

  test.concurrent("the longest idle context makes room; when all are busy the answer is 429", async () => {
    await using small = await startSandbox({ engine, env: { SANDBOX_MAX_CONTEXTS: "2" } });
    const [a, b] = [await small.context(), await small.context()];
    await a.run("x = 'a'");
    const c = await small.context();
    expect(await waitUntil(async () => (await b.status()).state === resting)).toBe(true);
    expect((await b.status()).generation === b.info.generation).toBe(engine === "pyodide");
    expect((await a.run("x", { generation: a.info.generation })).result).toBe("'a'");
    const busy = [await a.start("import time; time.sleep(1)"), await c.start("import time; time.sleep(1)")];
    const refused = await b.start("1");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await codeOf(refused)).toBe("too_many_contexts");
    await Promise.all(busy.map((response) => response.text()));
  });
});

describe("pyodide", () => {
  test.concurrent("a suspended context goes on with the same memory, in another process", async () => {
    await using sandbox = await startSandbox();
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

  test.concurrent.each(["SIGKILL", "SIGTERM"] as const)(
    "a suspended memory outlives its server, ended by %s",
    async (signal) => {
      await using first = await startSandbox();
      const plugin = {
        name: "who",
        code: "from taskweaver.plugin import *\n@register_plugin\ndef who(): return 7\n",
      };
      const request = { plugins: [plugin], variables: { user: "Ada" } };
      const context = await first.context(request);
      await context.run("count = 41\nheld = who()");
      // A server that is told to stop suspends by itself.
      if (signal === "SIGKILL") await context.post("suspend");
      await first.stop(signal);

      await using second = await startSandbox({ stateDir: first.stateDir });
      const again = await second.context({ ...request, id: context.id });
      expect(again.info).toMatchObject({ created: false, generation: context.info.generation });
      const { generation } = context.info;
      expect((await again.run("count + 1, held, who()", { generation })).result).toBe("(42, 7, 7)");
      await again.post("reset");
      await second.stop("SIGKILL");
      await using third = await startSandbox({ stateDir: first.stateDir });
      const empty = await third.context({ id: context.id });
      expect((await empty.run("count")).error?.name).toBe("NameError");
    },
  );

  test.concurrent("a suspended memory may be larger than a new one, up to its limit", async () => {
    await using sandbox = await startSandbox();
    const context = await sandbox.context({ limits: { memory_mb: 400 } });
    const { generation } = context.info;
    await context.run("large = bytearray(range(256)) * 1_200_000");
    await context.post("suspend");
    const outcome = await context.run("len(large), large[-1]", { generation });
    expect(outcome.result).toBe("(307200000, 255)");
    expect((await context.run("bytearray(200_000_000)")).error?.name).toBe("MemoryError");
    expect((await context.run("large[0]", { generation })).result).toBe("0");
  });

  test("a reset forgets a suspended memory too", async () => {
    await using sandbox = await startSandbox();
    const context = await sandbox.context();
    await context.run("x = 1");
    await context.post("suspend");
    await context.post("reset");
    expect((await context.status()).generation).not.toBe(context.info.generation);
    expect((await context.run("x")).error?.name).toBe("NameError");
  });

  test.concurrent("an idle context is suspended; one that can't be is ended, and keeps its files", async () => {
    await using hasty = await startSandbox({ env: { SANDBOX_IDLE_SECONDS: "1" } });
    const context = await hasty.context();
    const unsuspendable = await hasty.context();
    await context.run("x = 5");
    await unsuspendable.run("open('f','w').write('f')\nfrom pyodide.ffi import to_js\nheld = to_js([1])");
    expect(await waitUntil(async () => (await context.status()).state === "suspended")).toBe(true);
    expect(await waitUntil(async () => (await unsuspendable.status()).state === "ended")).toBe(true);
    expect((await context.run("x", { generation: context.info.generation })).result).toBe("5");
    expect(await codeOf(await unsuspendable.start("1", { generation: unsuspendable.info.generation }))).toBe(
      "context_lost",
    );
    expect((await unsuspendable.run("open('f').read()")).result).toBe("'f'");
  });
});

onCPython(() => {
  test("an idle context ends: files are kept, and who counts on its memory is told", async () => {
    await using hasty = await startSandbox({ engine: "cpython", env: { SANDBOX_IDLE_SECONDS: "1" } });
    const context = await hasty.context();
    expect(context.info.caps.suspend).toBe(false);
    await context.run("x = 5; open('f','w').write('f')");
    expect(await codeOf(await context.post("suspend"))).toBe("not_suspendable");
    expect((await context.run("x", { generation: context.info.generation })).result).toBe("5");
    expect(await waitUntil(async () => (await context.status()).state === "ended")).toBe(true);
    expect(await codeOf(await context.start("x", { generation: context.info.generation }))).toBe(
      "context_lost",
    );
    expect((await context.run("open('f').read()")).result).toBe("'f'");
  });
});

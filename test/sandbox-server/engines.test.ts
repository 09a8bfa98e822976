import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { onCPython } from "./engines.ts";
import { spawnServer, startSandbox, waitUntil } from "./support.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Info {
  engine: string;
  engines: { name: string; available: boolean; reason?: string; python?: string; description?: string }[];
}

test.concurrent("an engine that isn't there is named with the reason, and asking for it is refused with it", async () => {
  await using sandbox = await startSandbox({ env: { SANDBOX_BWRAP: "/nowhere/bwrap" } });
  const info = (await (await sandbox.request("/v1/info")).json()) as Info;
  expect(info).toMatchObject({ engine: "pyodide", engines: [{ name: "pyodide", available: true }, {}] });
  expect(info.engines[1]).toMatchObject({
    name: "cpython",
    available: false,
    reason: expect.stringContaining("apt-get install bubblewrap"),
  });
  const put = { method: "PUT", body: JSON.stringify({ engine: "cpython" }) };
  const refused = await sandbox.request("/v1/contexts/a", put);
  expect(refused.status).toBe(501);
  const { error } = (await refused.json()) as ErrorBody;
  expect(error).toMatchObject({ code: "unsupported", message: expect.stringContaining("bubblewrap") });
  expect((await sandbox.request("/v1/contexts/a")).status).toBe(404);
  const unknown = { method: "PUT", body: JSON.stringify({ engine: "jython" }) };
  expect((await sandbox.request("/v1/contexts/a", unknown)).status).toBe(501);
});

test.concurrent.each([
  [{ SANDBOX_BWRAP: "/nowhere/bwrap" }, /no bubblewrap at \/nowhere\/bwrap.*apt-get install bubblewrap/],
  [{ SANDBOX_BWRAP: "/bin/false" }, /bubblewrap can't make its namespaces|no usable Python/],
  [{ SANDBOX_JAIL: "None" }, /SANDBOX_JAIL is bwrap or none, not "None"/],
  [{ SANDBOX_JAIL: "none", SANDBOX_PYTHON: "/nowhere/python3" }, /no usable Python at \/nowhere\/python3/],
])("a server that should run CPython and can't, with %j, doesn't start", async (env, complaint) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sandbox-test-"));
  const server = spawnServer({ SANDBOX_ENGINE: "cpython", STATE_DIR: folder.path, ...env });
  let said = "";
  server.stderr!.on("data", (data) => (said += data));
  expect(await once(server, "close")).toEqual([1, null]);
  expect(said).toMatch(complaint);
});

onCPython(() => {
  test.concurrent("each context has the engine it asks for, and changing it empties the interpreter", async () => {
    await using sandbox = await startSandbox();
    const context = await sandbox.context();
    expect(context.info).toMatchObject({ engine: "pyodide", caps: { suspend: true } });
    await context.run("x = 1; open('kept', 'w').write('kept')");
    const changed = await context.put({ engine: "cpython" });
    expect(changed).toMatchObject({ status: 201, info: { engine: "cpython", caps: { suspend: false } } });
    expect(changed.info.generation).not.toBe(context.info.generation);
    expect((await context.run("'x' in globals(), open('kept').read()")).result).toBe("(False, 'kept')");
    expect((await context.put({})).info).toMatchObject({ engine: "cpython", created: false });
    const running = await context.start("import time; time.sleep(0.3)");
    expect((await context.put({ engine: "pyodide" })).status).toBe(409);
    await running.text();
    expect((await sandbox.context()).info.engine).toBe("pyodide");
  });

  test.concurrent("without a jail only where that is asked for, and then it says so", async () => {
    const env = { SANDBOX_JAIL: "none", SANDBOX_BWRAP: "/nowhere/bwrap" };
    await using sandbox = await startSandbox({ engine: "cpython", env });
    const info = (await (await sandbox.request("/v1/info")).json()) as Info;
    expect(info.engines[1]).toMatchObject({
      available: true,
      description: expect.stringContaining("without a jail"),
    });
    const context = await sandbox.context();
    await context.file("in.txt", { method: "PUT", body: "in" });
    const code =
      "import os\nopen('in.txt', 'a').write('!')\nprint(sorted(os.environ))\nopen('in.txt').read()";
    const outcome = await context.run(code);
    expect(outcome.result).toBe("'in!'");
    expect(outcome.stdout).not.toMatch(/HOST_SECRET|SANDBOX_TOKEN/);
    expect((await context.run("import os; os._exit(0)")).lost).toBeDefined();
    expect((await context.run("while True: pass", { timeout_ms: 200 })).done?.status).toBe("timeout");
    const last = await context.start(
      "import itertools, collections\ncollections.deque(itertools.count(), 0)",
    );
    void last.text().catch(() => {});
    expect(await sandbox.stop()).toBe(0);
    expect(await waitUntil(() => sandbox.process.exitCode === 0)).toBe(true);
  });
});

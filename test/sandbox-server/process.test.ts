import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { forEachEngine } from "./engines.ts";
import { descendants, isAlive, spawnServer, startSandbox, TOKEN, waitUntil } from "./support.ts";

vi.setConfig({ testTimeout: 60_000 });

const busy = "print('on')\nimport itertools, collections\ncollections.deque(itertools.count(), 0)";

test.concurrent("only the token opens more than /health", async () => {
  await using sandbox = await startSandbox();
  expect(await (await fetch(`${sandbox.url}/health`)).json()).toEqual({ status: "ok", protocol: 1 });
  for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
    for (const [method, path] of [
      ["GET", "/v1/info"],
      ["PUT", "/v1/contexts/a"],
      ["GET", "/nothing"],
    ] as const) {
      const response = await sandbox.request(path, { method, headers: { authorization } });
      expect([response.status, ((await response.json()) as ErrorBody).error.code]).toEqual([
        401,
        "unauthorized",
      ]);
    }
  }
  const info = (await (await sandbox.request("/v1/info")).json()) as Record<string, unknown>;
  expect(info).toMatchObject({ protocol: 1, engine: "pyodide", python: expect.stringMatching(/^3\.\d+/) });
});

test.concurrent("what is malformed is refused, with what was wrong", async () => {
  await using sandbox = await startSandbox();
  const context = await sandbox.context();
  const post = (body: string) => sandbox.request(`${context.path}/executions`, { method: "POST", body });
  for (const body of [
    "{",
    "[]",
    "{}",
    '{"execution_id":"x"}',
    '{"execution_id":"x","code":"1","timeout_ms":0}',
  ]) {
    const response = await post(body);
    expect([response.status, ((await response.json()) as ErrorBody).error.code]).toEqual([
      400,
      "invalid_request",
    ]);
  }
  const put = (body: string) => sandbox.request(context.path, { method: "PUT", body });
  expect((await put('{"engine":"other"}')).status).toBe(501);
  expect((await put('{"network":"open"}')).status).toBe(501);
  expect((await sandbox.request("/v1/nothing")).status).toBe(404);
  expect((await sandbox.request(context.path, { method: "PATCH" })).status).toBe(405);
});

forEachEngine((engine) => {
  test.concurrent("SIGTERM ends every child", async () => {
    await using sandbox = await startSandbox({ engine });
    const context = await sandbox.context();
    const running = await context.start(busy);
    const children = await descendants(sandbox.process.pid!);
    expect(children.length).toBeGreaterThanOrEqual(2);
    expect(await sandbox.stop("SIGTERM")).toBe(0);
    expect(await waitUntil(() => !children.some(isAlive))).toBe(true);
    await running.text().catch(() => {});
  });

  test.concurrent("a killed server leaves no engine, not even one inside C", async () => {
    await using sandbox = await startSandbox({ engine });
    const [idle, looping] = [await sandbox.context(), await sandbox.context()];
    await idle.run("1");
    const running = await looping.start(busy);
    await running.body!.getReader().read();
    const children = await descendants(sandbox.process.pid!);
    await sandbox.stop("SIGKILL");
    expect(await waitUntil(() => !children.some(isAlive))).toBe(true);
  });

  test.concurrent("on a leash, a killed launcher leaves nothing", async () => {
    await using sandbox = await startSandbox({ engine });
    const entry = join(import.meta.dirname, "../../dev/sandbox.ts");
    // The launcher holds the server's stdin and is killed.
    const script = `
    const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(entry)}], {
      env: { ...process.env, SANDBOX_LEASH: "stdin" }, stdio: ["pipe", "inherit", "inherit"] });
    setInterval(() => {}, 1000);`;
    await sandbox.stop();
    const env = {
      SANDBOX_ENGINE: engine,
      SANDBOX_PORT: "0",
      SANDBOX_TOKEN: TOKEN,
      STATE_DIR: sandbox.stateDir,
    };
    const launcher = spawn(process.execPath, ["-e", script], { env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    launcher.stdout.on("data", (data) => (output += data));
    expect(await waitUntil(() => output.includes("sandbox ready"))).toBe(true);
    const url = /http:\S+/.exec(output)![0];
    const init = { headers: { authorization: `Bearer ${TOKEN}` } };
    await fetch(`${url}/v1/contexts/a`, { ...init, method: "PUT" });
    await fetch(`${url}/v1/contexts/a/executions`, {
      ...init,
      method: "POST",
      body: JSON.stringify({ execution_id: "e", code: busy, timeout_ms: 60_000 }),
    });
    const children = await descendants(launcher.pid!);
    expect(children.length).toBeGreaterThanOrEqual(3);
    launcher.kill("SIGKILL");
    expect(await waitUntil(() => !children.some(isAlive))).toBe(true);
  });
});

test.concurrent("a taken port is one clear line and exit code 1", async () => {
  await using sandbox = await startSandbox();
  const second = spawnServer({ STATE_DIR: sandbox.stateDir, SANDBOX_PORT: new URL(sandbox.url).port });
  let complaint = "";
  second.stderr!.on("data", (data) => (complaint += data));
  const code = await new Promise((resolve) => second.once("close", resolve));
  expect(code).toBe(1);
  expect(complaint.trim().split("\n")).toEqual([expect.stringContaining("port is taken")]);
});

test.concurrent("without a token one is made, and it works", async () => {
  await using sandbox = await startSandbox({ env: { SANDBOX_TOKEN: "" }, stdin: "ignore" });
  expect((await sandbox.request("/v1/info")).status).toBe(401);
});

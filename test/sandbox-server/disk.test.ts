import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forEachEngine } from "./engines.ts";
import { startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

forEachEngine((engine) => {
  let sandbox: Sandbox;
  let bystander: TestContext;
  /** Emptied by the tests that fill it. */
  let context: TestContext;
  beforeAll(async () => {
    const env = { SANDBOX_DISK_MB: "4", SANDBOX_MAX_FILES: "100", SANDBOX_GRACE_MS: "2000" };
    sandbox = await startSandbox({ engine, env });
    [bystander, context] = [await sandbox.context(), await sandbox.context()];
    await bystander.run("mine = 'untouched'");
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  const cleanUp = "import os\nfor name in os.listdir('.'): os.remove(name)\n'clean'";

  test("a cell that fills the disk is stopped, and told how much it took", async () => {
    const code = `
import time
kept = 'still here'
for number in range(200):
    with open(f'part{number % 20}', 'ab') as file: file.write(b'x' * 100_000)
    time.sleep(0.05)`;
    const outcome = await context.run(code);
    expect(outcome.done).toMatchObject({ status: "failure" });
    expect(outcome.error?.name).toBe("DiskLimitError");
    expect(outcome.error?.message).toMatch(
      /holds \d+ MB in 20 files; 4 MB and 100 files are allowed\. Delete/,
    );
    expect(outcome.done?.duration_ms).toBeLessThan(9000);
    expect((await bystander.run("mine")).result).toBe("'untouched'");
    expect((await context.run(cleanUp)).result).toBe("'clean'");
    expect(await context.run("kept")).toMatchObject({ result: "'still here'", done: { status: "success" } });
  });

  test("one that is quicker than the watch is told at its end", async () => {
    const outcome = await context.run("with open('big', 'wb') as file: file.write(bytes(6_000_000))");
    expect(outcome.error?.name).toBe("DiskLimitError");
    expect(outcome.done?.status).toBe("failure");
    expect((await context.run(cleanUp)).done?.status).toBe("success");
  });

  test("files are counted too, and holes are not overlooked", async () => {
    const many = await context.run("for number in range(150): open(f'f{number}', 'w').close()");
    expect(many.error?.message).toMatch(/in more than 100 files; 4 MB and 100 files are allowed/);
    expect((await context.run(cleanUp)).result).toBe("'clean'");
    const holes = await context.run("with open('holes', 'wb') as file: file.truncate(1_000_000_000)");
    expect(holes.done?.status).toBe("failure");
    expect(holes.error?.name).toBe(engine === "pyodide" ? "DiskLimitError" : "OSError");
    expect((await context.run(cleanUp)).result).toBe("'clean'");
  });

  test("an interrupt that comes when the code has ended costs nothing", async () => {
    await context.run("for number in range(90): open(f'f{number}', 'w').write('x' * 1000)\nkept = 1");
    for (const timeout of [1, 2, 5, 10, 20]) {
      expect((await context.run("None", { timeout_ms: timeout })).lost).toBeUndefined();
    }
    expect((await context.run(`kept\n${cleanUp}\nkept`)).result).toBe("1");
  });

  test("who doesn't stop is killed", async () => {
    const code = `
import time
while True:
    try:
        with open('flood', 'ab') as file: file.write(b'x' * 400_000)
        time.sleep(0.02)
    except BaseException: open(str(time.time()), 'wb').write(b'x' * 4_000_000)`;
    const outcome = await context.run(code);
    expect(outcome.lost).toMatchObject({ reason: "disk_limit" });
    expect(outcome.error?.name).toBe("DiskLimitError");
    expect((await bystander.run("mine")).result).toBe("'untouched'");
  });
});

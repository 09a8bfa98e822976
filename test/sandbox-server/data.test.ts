import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { onCPython } from "./engines.ts";
import { startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

onCPython(() => {
  let sandbox: Sandbox;
  let context: TestContext;
  let packages: Record<string, string | null>;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine: "cpython" });
    context = await sandbox.context();
    const info = await sandbox.request("/v1/info");
    ({ packages } = (await info.json()) as { packages: Record<string, string | null> });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test("pd, np and plt are bound, and imported when they are used", async ({ skip }) => {
    skip(!packages["pandas"] || !packages["matplotlib"], "pandas or matplotlib isn't installed");
    const imported = "import sys; [name in sys.modules for name in ('numpy', 'pandas', 'matplotlib')]";
    expect((await context.run(imported)).result).toBe("[False, False, False]");
    expect((await context.run("int(np.arange(4).sum()), pd.isna(None), callable(plt.plot)")).result).toBe(
      "(6, True, True)",
    );
    expect((await context.run(imported)).result).toBe("[True, True, True]");
    expect((await context.run("None")).done?.variables).toEqual([]);
  });

  test("a data frame shows five rows and all columns, as text and as HTML", async ({ skip }) => {
    skip(!packages["pandas"], "pandas isn't installed");
    const code = "frame = pd.DataFrame({f'column {n}': range(100) for n in range(40)})";
    const outcome = await context.run(code);
    const { text, data } = outcome.all("result")[0]!;
    expect(text.split("\n").filter((line) => /^(\d+|\.\.) /.test(line))).toHaveLength(5);
    for (const number of [0, 20, 39]) expect(text).toContain(`column ${number}`);
    expect(text).toContain("[100 rows x 40 columns]");
    expect(data["text/html"]?.match(/<tr>/g)).toHaveLength(5);
    expect(data["text/html"]?.match(/<th>column /g)).toHaveLength(40);
    expect(outcome.done?.variables).toEqual([
      { name: "frame", type: "DataFrame", summary: "shape (100, 40)" },
    ]);
    const own = await context.run("pd.set_option('display.max_rows', 8)\nframe");
    expect(own.all("result")[0]?.data["text/html"]?.match(/<tr>/g)!.length).toBeGreaterThan(5);
  });

  test("each open figure becomes a PNG artifact and is closed", async ({ skip }) => {
    skip(!packages["matplotlib"], "matplotlib isn't installed");
    const code = "plt.figure(); plt.plot([1, 3, 2])\nplt.figure(); plt.bar([1, 2], [3, 4])\nNone";
    const outcome = await context.run(code);
    expect(outcome.error).toBeUndefined();
    expect(outcome.artifacts.map(({ kind, mime }) => [kind, mime])).toEqual([
      ["image", "image/png"],
      ["image", "image/png"],
    ]);
    const png = new Uint8Array(await (await context.file(outcome.artifacts[0]!.file)).arrayBuffer());
    expect([...png.subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
    expect((await context.run("plt.get_fignums()")).result).toBe("[]");
  });
});

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { writeWheel } from "../support/wheel.ts";
import { startSandbox, type Sandbox } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const GREETING = "def greet(name):\n    return f'hello {name}'\n";

describe("wheels in the packages' folder", () => {
  let root: string;
  let folder: string;
  let sandbox: Sandbox;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "packages-test-"));
    folder = join(root, "packages");
    await mkdir(folder);
    await writeWheel(folder, {
      name: "greeting_words",
      version: "1.2",
      files: {
        "greeting_words/__init__.py": GREETING,
        "../outside.py": "escaped = True",
        "greeting_words-1.2.data/purelib/greeting_data.py": "where = 'purelib'",
        "greeting_words-1.2.data/scripts/tool": "#!/bin/sh",
      },
    });
    await writeFile(join(folder, "other-1.0-cp314-cp314-manylinux_2_28_x86_64.whl"), "not for Pyodide");
    sandbox = await startSandbox({ env: { SANDBOX_PACKAGES: folder } });
  });
  afterAll(async () => {
    await sandbox?.[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  test("are told of, and imported", async () => {
    const info = (await (await sandbox.request("/v1/info")).json()) as { packages: Record<string, unknown> };
    expect(info.packages).toEqual({ numpy: null, pandas: null, matplotlib: null, "greeting-words": "1.2" });
    const context = await sandbox.context();
    const outcome = await context.run(
      "%pip install -U greeting-words==1.2 greeting_words>=1\nfrom greeting_words import greet\nimport greeting_data\n" +
        "greet('you'), greeting_data.where",
    );
    expect([outcome.stdout, outcome.result]).toEqual([
      "greeting-words 1.2 is there already.\ngreeting_words 1.2 is there already.\n",
      "('hello you', 'purelib')",
    ]);
    const other = await context.run("!pip install greeting-words==2.0\n!pip install nosuch");
    expect(other.stdout).toBe("greeting-words 1.2 is there already; no other version can be had here.\n");
    expect(other.error?.message).toMatch(/there are: greeting_words 1\.2\. Use one of these/);
  });

  test("are for reading only, and lead nowhere else", async () => {
    const context = await sandbox.context();
    const attempts = [
      "open('/packages/new.py', 'w')",
      "open('/packages/greeting_words/__init__.py', 'a')",
      "import os; os.remove('/packages/greeting_words/__init__.py')",
      "import os; os.mkdir('/packages/more')",
      "import os; os.rename('/packages/greeting_words', '/packages/other')",
      "import os; os.rmdir('/packages/greeting_words/__pycache__')",
      "import os; os.chmod('/packages', 0o777); open('/packages/new.py', 'w').write('x')",
      "open('/packages/../outside.py')",
    ];
    for (const code of attempts) {
      const { error } = await context.run(code);
      expect([code, error?.name]).toEqual([code, expect.stringMatching(/Error$/)]);
    }
    const sites = join(sandbox.stateDir, "sandbox/pyodide/packages");
    const [site] = await readdir(sites);
    expect((await readdir(sites)).length).toBe(1);
    const found = (await readdir(join(sites, site!))).toSorted();
    // What wanted to lie outside lies inside, and a script nowhere.
    expect(found.filter((name) => !/dist-info|__pycache__/.test(name))).toEqual([
      "greeting_data.py",
      "greeting_words",
      "outside.py",
    ]);
    expect((await context.run("from greeting_words import greet\ngreet('still')")).result).toBe(
      "'hello still'",
    );
  });

  test("are still there for a session that was suspended", async () => {
    const context = await sandbox.context();
    await context.run("import greeting_words\nkept = greeting_words.greet");
    expect((await context.post("suspend")).status).toBe(200);
    const { generation } = context.info;
    const outcome = await context.run("import greeting_data\nkept('me'), greeting_data.where", {
      generation,
    });
    expect(outcome.result).toBe("('hello me', 'purelib')");
  });
});

test("a wheel that is broken keeps the server from starting, and is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packages-test-"));
  await writeFile(join(folder, "broken-1.0-py3-none-any.whl"), "no archive");
  const starting = startSandbox({ env: { SANDBOX_PACKAGES: folder } });
  await expect(starting).rejects.toThrow(
    /could not be unpacked: .*broken-1\.0-py3-none-any\.whl is no wheel/,
  );
  await rm(folder, { recursive: true, force: true });
});

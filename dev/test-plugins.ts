import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compilePlugins } from "./content/compile-plugins.ts";
import { repositoryPath } from "./content/compile.ts";
import { ContentError } from "./content/problem.ts";
import { startChild } from "./stack/child.ts";
import { testPlugin } from "./test-plugins/test-plugin.ts";

// `npm run test:plugins`: the `test_plugin` cases of a project's plugins, each plugin in a context of its own of a real
// sandbox. SANDBOX_ENGINE chooses the interpreter.

const TOKEN = "plugin-tests";

const { project } = parseArgs({ options: { project: { type: "string" } } }).values;
const projectPath = resolve(project ?? repositoryPath);
const stateDir = mkdtempSync(join(tmpdir(), "plugin-tests-"));
let failed = 0;
let passed = 0;
try {
  const { plugins } = compilePlugins(projectPath, join(projectPath, "plugins"));
  const sandbox = await startChild({
    name: "code sandbox",
    args: [join(repositoryPath, "sandbox/main.ts")],
    env: {
      PATH: process.env.PATH ?? "",
      SANDBOX_ENGINE: process.env.SANDBOX_ENGINE ?? "",
      SANDBOX_PORT: "0",
      SANDBOX_TOKEN: TOKEN,
      STATE_DIR: stateDir,
      SANDBOX_LEASH: "stdin",
    },
    onLine: () => {},
    ready: { line: /^sandbox ready / },
  });
  try {
    const url = sandbox.readyLine.replace("sandbox ready ", "").trim();
    for (const plugin of plugins.filter(({ edge }) => !edge)) {
      const outcomes = await testPlugin({ url, token: TOKEN, plugin });
      if (outcomes.length === 0) console.log(`${plugin.spec.name}: no test cases`);
      for (const { name, ok, error } of outcomes) {
        console.log(`${ok ? "ok    " : "FAILED"} ${plugin.spec.name}: ${name}`);
        if (error) console.log(error.replaceAll(/^/gm, "       "));
        if (ok) passed += 1;
        else failed += 1;
      }
    }
    console.log(`${passed} passed, ${failed} failed`);
  } finally {
    await sandbox.stop();
  }
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(`The project's files have errors:\n${error.message}`);
  failed += 1;
} finally {
  rmSync(stateDir, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

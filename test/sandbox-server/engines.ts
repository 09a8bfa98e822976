import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe } from "vitest";

export type EngineName = "pyodide" | "cpython";

const bwrap = process.env["SANDBOX_BWRAP"] ?? "/usr/bin/bwrap";
const python = process.env["SANDBOX_PYTHON"] ?? "/usr/bin/python3";

/** Why there is no CPython engine on this machine; undefined where there is one. */
export const cpythonMissing = whyMissing();
if (cpythonMissing !== undefined) {
  const reason = `The cpython engine is not tested: ${cpythonMissing}`;
  if (process.env["REQUIRE_CPYTHON"] === "1") throw new Error(reason);
  console.warn(reason);
}

/** The same tests for each engine; where one can't be had, they are skipped and say why. */
export function forEachEngine(tests: (engine: EngineName) => void): void {
  describe("pyodide", () => {
    tests("pyodide");
  });
  onCPython(() => tests("cpython"));
}

export function onCPython(tests: () => void): void {
  describe.skipIf(cpythonMissing !== undefined)("cpython", () => {
    tests();
  });
}

function whyMissing(): string | undefined {
  for (const program of [bwrap, python]) if (!existsSync(program)) return `there is no ${program}`;
  const attempt = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "/bin/true"];
  const { status, stderr } = spawnSync(bwrap, attempt, { encoding: "utf8" });
  return status === 0 ? undefined : `bubblewrap can't make namespaces here (${stderr.trim()})`;
}

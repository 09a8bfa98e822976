import { describe } from "vitest";
import { whyNoCPython } from "../support/cpython-jail.ts";

export type EngineName = "pyodide" | "cpython";

/** Why there is no CPython engine on this machine; undefined where there is one. */
export const cpythonMissing = whyNoCPython();
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

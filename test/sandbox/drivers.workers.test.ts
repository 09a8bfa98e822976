import { describe, inject } from "vitest";
import { createSandbox as createHttp } from "../../src/sandbox/http/index.ts";
import { createSandbox as createJupyter } from "../../src/sandbox/jupyter/index.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";

// The drivers where they run in earnest: with workerd's fetch, streams and WebSockets.

const token = inject("sandboxToken");
const cpythonUrl = inject("cpythonUrl");
const jupyter = inject("jupyter");

const noPackages = {
  reason: "the Pyodide engine has no pandas and no matplotlib here",
  tests: ["a data frame shows a few rows and an HTML form", "a figure is one image, shown or not"],
};

testSandbox("http, Pyodide", () => createHttp({ url: inject("sandboxUrl"), token }), { skip: [noPackages] });

// Skipped where there is no bubblewrap that works.
describe.skipIf(cpythonUrl === undefined)("http, CPython", () => {
  testSandbox("in bubblewrap", () => createHttp({ url: cpythonUrl!, token }));
});

// Skipped where JUPYTER_PYTHON (or python3) has no jupyter_server, ipykernel, pandas and matplotlib.
describe.skipIf(jupyter === undefined)("jupyter", () => {
  testSandbox("a real server", () => createJupyter({ ...jupyter!, graceMs: 2500 }));
});

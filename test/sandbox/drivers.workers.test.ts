import { describe, inject, it } from "vitest";
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

describe("http, CPython", () => {
  if (cpythonUrl !== undefined) testSandbox("in bubblewrap", () => createHttp({ url: cpythonUrl, token }));
  else it.skip("there is no bubblewrap, or it can't make namespaces", () => {});
});

describe("jupyter", () => {
  if (jupyter !== undefined) testSandbox("a real server", () => createJupyter({ ...jupyter, graceMs: 1000 }));
  else it.skip("there is no Python with jupyter_server, ipykernel, pandas and matplotlib", () => {});
});

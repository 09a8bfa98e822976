import { afterAll, beforeAll, describe } from "vitest";
import { createSandbox } from "../../src/sandbox/e2b/index.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";
import { startFakeE2b } from "../support/fake-e2b.ts";
import { jupyterMissing, startJupyter } from "../support/jupyter-server.ts";

const missing = jupyterMissing();
if (missing !== undefined) console.warn(`The e2b driver is not tested: ${missing}`);

const endsWithItsClient = {
  reason: "E2B interrupts what runs when the one who asked for it goes away",
  tests: ["is told on to another driver when the first goes away"],
};

describe.skipIf(missing !== undefined)("E2B's wire over real kernels", () => {
  let jupyter: Awaited<ReturnType<typeof startJupyter>>;
  let e2b: Awaited<ReturnType<typeof startFakeE2b>>;
  beforeAll(async () => {
    jupyter = await startJupyter();
    e2b = await startFakeE2b(jupyter);
  });
  afterAll(async () => {
    e2b?.stop();
    await jupyter?.stop();
  });
  const create = () =>
    createSandbox({ url: e2b.url, token: e2b.apiKey, portUrl: e2b.portUrl, graceMs: 2500 });
  testSandbox("e2b", create, { skip: [endsWithItsClient] });
});

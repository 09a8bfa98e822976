import { afterAll, beforeAll, describe } from "vitest";
import { createSandbox } from "../../src/sandbox/jupyter/index.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";
import { connectFromNode } from "../support/connect-from-node.ts";
import { jupyterMissing, startJupyter } from "../support/jupyter-server.ts";

const missing = jupyterMissing();
if (missing !== undefined) console.warn(`The jupyter driver is not tested: ${missing}`);

describe.skipIf(missing !== undefined)("a real Jupyter Server", () => {
  for (const strict of [false, true]) {
    describe(strict ? "as it comes" : "set as the page says", () => {
      let server: Awaited<ReturnType<typeof startJupyter>>;
      beforeAll(async () => {
        server = await startJupyter({ strict });
      });
      afterAll(() => server?.stop());
      const create = () =>
        createSandbox({ url: server.url, token: server.token, connect: connectFromNode, graceMs: 1000 });
      testSandbox("jupyter", create);
    });
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/jupyter/index.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";
import { connectFromNode } from "../support/connect-from-node.ts";
import { jupyterMissing, startJupyter } from "../support/jupyter-server.ts";

const missing = jupyterMissing();
if (missing !== undefined) console.warn(`The jupyter driver is not tested: ${missing}`);

describe.skipIf(missing !== undefined)("a real Jupyter Server", () => {
  for (const strict of [false, true]) {
    describe(`${strict ? "as it comes" : "set as the page says"}`, () => {
      let server: Awaited<ReturnType<typeof startJupyter>>;
      beforeAll(async () => {
        server = await startJupyter({ strict });
      });
      afterAll(() => server?.stop());
      const create = () =>
        createSandbox({ url: server.url, token: server.token, connect: connectFromNode, graceMs: 2500 });
      testSandbox("jupyter", create);
    });
  }
});

describe.skipIf(missing !== undefined)("a Jupyter Server that can't be used", () => {
  let server: Awaited<ReturnType<typeof startJupyter>>;
  beforeAll(async () => {
    server = await startJupyter();
  });
  afterAll(() => server?.stop());

  it("is told of without its token", async () => {
    const spec = { plugins: [], variables: {} };
    const wrong = createSandbox({ url: server.url, token: "wrong-token", connect: connectFromNode });
    const refused = await wrong.open("wrong", spec).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: "sandbox_unreachable" });
    expect(String(refused)).toMatch(/refused the token\. Check SANDBOX_TOKEN/);
    expect(String(refused)).not.toContain("wrong-token");
    const nobody = createSandbox({ url: "http://user:pass@127.0.0.1:9", token: "a-token" });
    const unreachable = await nobody.open("nobody", spec).catch((error: Error) => error);
    expect(String(unreachable)).toMatch(/http:\/\/127\.0\.0\.1:9 can't be reached/);
    expect(String(unreachable)).not.toMatch(/a-token|pass/);
  });
});

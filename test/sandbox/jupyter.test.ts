import { afterAll, beforeAll, describe } from "vitest";
import { createSandbox } from "../../src/sandbox/jupyter/index.ts";
import type { Connect } from "../../src/sandbox/jupyter/kernel-channel.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";
import { jupyterMissing, startJupyter } from "../support/jupyter-server.ts";

const missing = jupyterMissing();
if (missing !== undefined) console.warn(`The jupyter driver is not tested: ${missing}`);

/** Node's WebSocket takes headers as well, in its own way. */
const connectFromNode: Connect = async (url, headers) => {
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Socket(url.replace(/^http/, "ws"), { headers });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("no WebSocket")));
  });
  return socket;
};

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

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryPath } from "../../dev/content/compile.ts";
import { startChild } from "../../dev/stack/child.ts";

const token = "token-of-the-test";

function startServer(stateDir: string, port: string, engine: string) {
  return startChild({
    name: "code sandbox",
    args: [join(repositoryPath, "sandbox/main.ts")],
    env: {
      PATH: process.env.PATH ?? "",
      SANDBOX_PORT: port,
      SANDBOX_TOKEN: token,
      STATE_DIR: stateDir,
      SANDBOX_ENGINE: engine,
      SANDBOX_LEASH: "stdin",
    },
    onLine: () => {},
    ready: { line: /^sandbox ready / },
  });
}

/** The real sandbox server with its locked interpreters, on a free port. */
export async function startSandboxServer(engine = "pyodide") {
  const stateDir = await mkdtemp(join(tmpdir(), "sandbox-test-"));
  let child = await startServer(stateDir, "0", engine);
  const url = child.readyLine.replace("sandbox ready ", "").trim();
  return {
    url,
    token,
    /** Kills it with all interpreters; another one takes its place, on the same port and with the same state. */
    async crash(): Promise<void> {
      process.kill(child.pid!, "SIGKILL");
      await child.ended;
      child = await startServer(stateDir, new URL(url).port, engine);
    },
    async stop(): Promise<void> {
      await child.stop();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

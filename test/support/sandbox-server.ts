import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryPath } from "../../dev/content/compile.ts";
import { startChild } from "../../dev/stack/child.ts";

/** The real sandbox server with its locked interpreters, on a free port. */
export async function startSandboxServer(): Promise<{ url: string; token: string; stop(): Promise<void> }> {
  const stateDir = await mkdtemp(join(tmpdir(), "sandbox-test-"));
  const token = "token-of-the-test";
  const child = await startChild({
    name: "code sandbox",
    args: [join(repositoryPath, "sandbox/main.ts")],
    env: {
      PATH: process.env.PATH ?? "",
      SANDBOX_PORT: "0",
      SANDBOX_TOKEN: token,
      STATE_DIR: stateDir,
      SANDBOX_LEASH: "stdin",
    },
    onLine: () => {},
    ready: { line: /^sandbox ready / },
  });
  return {
    url: child.readyLine.replace("sandbox ready ", "").trim(),
    token,
    async stop() {
      await child.stop();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

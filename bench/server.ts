import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryPath } from "../dev/content/compile.ts";
import { startChild, type Child } from "../dev/stack/child.ts";
import { claimPort } from "../dev/stack/ports.ts";
import { migrateLocally, startWorker } from "../dev/stack/wrangler.ts";

/** The real Worker under `wrangler dev` with its database, the real sandbox, and the model that takes no time. */
export async function startBenchServer() {
  const stateDir = await mkdtemp(join(tmpdir(), "taskweaver-bench-"));
  const children: Child[] = [];
  const env = { PATH: process.env.PATH ?? "" };
  async function start(name: string, script: string, ready: RegExp, variables: Record<string, string> = {}) {
    const args = [script];
    const child = await startChild({
      name,
      args,
      env: { ...env, ...variables },
      onLine() {},
      ready: { line: ready },
    });
    children.push(child);
    return /http:\S+/.exec(child.readyLine)![0];
  }
  async function stop(): Promise<void> {
    await Promise.all(children.map((child) => child.stop()));
    await rm(stateDir, { recursive: true, force: true });
  }

  try {
    const [model, sandbox] = await Promise.all([
      start("model", fileURLToPath(new URL("./model.ts", import.meta.url)), /^model ready /),
      start("code sandbox", join(repositoryPath, "sandbox/main.ts"), /^sandbox ready /, {
        SANDBOX_PORT: "0",
        SANDBOX_TOKEN: "bench",
        SANDBOX_LEASH: "stdin",
        STATE_DIR: stateDir,
      }),
      migrateLocally(stateDir),
    ]);
    const port = await claimPort(0, "PORT");
    const worker = await startWorker({
      port,
      stateDir,
      main: fileURLToPath(new URL("./worker.ts", import.meta.url)),
      contentModule: join(repositoryPath, "src/content/_content.ts"),
      variables: {
        OPENAI_BASE_URL: `${model}/v1`,
        OPENAI_API_KEY: "bench",
        SANDBOX_URL: sandbox,
        SANDBOX_TOKEN: "bench",
        API_KEYS: "bench:key",
        // As npm start has it: a line that is logged here goes through the debugger.
        LOG_REQUESTS: "false",
      },
      onLine() {},
    });
    children.push(worker);
    return { url: `http://127.0.0.1:${port}`, sandbox: { url: sandbox, token: "bench" }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryPath } from "../../dev/content/compile.ts";
import { until } from "./processes.ts";

/** Runs one of the npm scripts as a user would, in a group of its own and with a state of its own. */
export function launch(
  script: string,
  options: {
    args?: string[];
    env?: Record<string, string>;
    stateDir?: string;
    /** Of another copy of the repository. */
    cwd?: string;
  } = {},
) {
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), "launch-"));
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, PORT: "0", SANDBOX_PORT: "0", STATE_DIR: stateDir, ...options.env };
  const npm = spawn("npm", ["run", "-s", script, "--", ...(options.args ?? [])], {
    cwd: options.cwd ?? repositoryPath,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  npm.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  npm.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | NodeJS.Signals>((resolve) => {
    npm.once("exit", (code, signal) => resolve(code ?? signal!));
  });
  let ended = false;
  void exit.then(() => (ended = true));

  return {
    pid: npm.pid!,
    stateDir,
    exit,
    output: () => output,
    /** The address that it serves at, once it is ready. */
    async ready(): Promise<string> {
      await until("the ready line", () => ended || /^ready http/m.test(output), 60_000);
      const [, url] = /^ready (http:\S+)$/m.exec(output) ?? [];
      if (!url) throw new Error(`It ended without being ready:\n${output}`);
      return url;
    },
    async [Symbol.asyncDispose]() {
      if (!ended) {
        process.kill(npm.pid!, "SIGTERM");
        await exit;
      }
      if (!options.stateDir)
        rmSync(stateDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

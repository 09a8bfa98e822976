import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";

const python = process.env["JUPYTER_PYTHON"] ?? "python3";
const token = "token-of-the-jupyter-test";
const START_LIMIT_MS = 30_000;

/** What docs/sandbox.md says that a Jupyter Server for this is to be set to. */
const CONFIG = `
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

c.ServerApp.terminals_enabled = False
c.FileContentsManager.delete_to_trash = False
c.ZMQChannelsWebsocketConnection.limit_rate = False

_open = KernelWebsocketHandler.open

async def open_without_delay(self, *args, **kwargs):
    self.set_nodelay(True)
    return await _open(self, *args, **kwargs)

KernelWebsocketHandler.open = open_without_delay
`;

/** Why there is no Jupyter Server on this machine; undefined where there is one. */
export function jupyterMissing(): string | undefined {
  const needed = "import jupyter_server, ipykernel, pandas, matplotlib";
  const { status, error } = spawnSync(python, ["-c", needed], { encoding: "utf8" });
  const missing =
    status === 0
      ? undefined
      : `${python} has no jupyter_server, ipykernel, pandas and matplotlib (JUPYTER_PYTHON names another Python)` +
        (error ? `: ${error.message}` : "");
  if (missing !== undefined && process.env["REQUIRE_JUPYTER"] === "1") throw new Error(missing);
  return missing;
}

/** A real Jupyter Server with kernels, in a folder of its own. `strict` leaves it as it comes. */
export async function startJupyter({ strict = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "jupyter-test-"));
  const config = join(folder, "config.py");
  await writeFile(config, strict ? "c.FileContentsManager.delete_to_trash = False\n" : CONFIG);
  const port = await freePort();
  const root = join(folder, "root");
  await import("node:fs/promises").then(({ mkdir }) => mkdir(root));
  const args = ["-m", "jupyter_server", "--no-browser", "--ip=127.0.0.1", `--port=${port}`];
  args.push(`--config=${config}`, `--ServerApp.root_dir=${root}`, `--IdentityProvider.token=${token}`);
  if (process.getuid?.() === 0) args.push("--allow-root");
  const homes = {
    HOME: folder,
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    IPYTHONDIR: join(folder, "ipython"),
  };
  const child = spawn(python, args, {
    env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", MPLCONFIGDIR: join(folder, "mpl"), ...homes },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (data) => (output = (output + data).slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + START_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${url}/api`).catch(() => undefined);
    if (response?.ok) break;
    if (child.exitCode !== null || Date.now() > end) throw new Error(`Jupyter did not start: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    token,
    /** The folder that it serves. */
    root,
    /** What it has logged. */
    log: () => output,
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), 8000);
      await ended;
      clearTimeout(killed);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

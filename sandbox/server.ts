import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Contexts } from "./contexts.ts";
import { createCPythonEngine } from "./engines/cpython/index.ts";
import { startEngines } from "./engines/engines.ts";
import { createPyodideEngine } from "./engines/pyodide/index.ts";
import { createAuthentication } from "./http/auth.ts";
import { createRoutes, type Handler } from "./http/routes.ts";
import { sendError } from "./http/send.ts";
import { SandboxError } from "./errors.ts";
import { createReaper } from "./reaper.ts";
import type { Settings } from "./settings.ts";

export interface SandboxServer {
  readonly url: string;
  /** Ends every interpreter, then the server. */
  close(): Promise<void>;
}

/** Listens first, so that a taken port is known before anything else is started, and answers 503 until it is ready. */
export async function startServer(settings: Settings): Promise<SandboxServer> {
  let routes: Handler | undefined;
  const server = createServer((request, response) => {
    if (!routes) return sendError(response, new SandboxError("not_ready", "The sandbox is starting."));
    routes(request, response).catch((error: unknown) => sendError(response, error));
  });
  const { host, port, folder, graceMs, maxContexts, memoryMb, disk, idleMs } = settings;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const reaper = createReaper();
  const engines = await startEngines(settings.engine, {
    pyodide: () => {
      const spare = settings.engine === "pyodide";
      const { packages } = settings;
      return createPyodideEngine({ folder: join(folder, "pyodide"), packages, graceMs, reaper, spare });
    },
    cpython: () => {
      const options = { folder: join(folder, "cpython"), graceMs, reaper, diskMb: disk.megabytes };
      return createCPythonEngine({ ...options, ...settings.cpython });
    },
  });
  const contexts = new Contexts({ engines, folder, maxContexts, memoryMb, disk, idleMs });
  routes = createRoutes({
    engines,
    contexts,
    authenticate: createAuthentication(settings.token),
    limits: {
      max_contexts: maxContexts,
      memory_mb: memoryMb,
      disk_mb: disk.megabytes,
      max_files: disk.files,
      idle_seconds: idleMs / 1000,
    },
  });

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    async close() {
      server.close();
      await contexts.close();
      await engines.close();
      server.closeAllConnections();
      reaper.close();
    },
  };
}

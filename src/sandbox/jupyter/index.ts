import { createKernelSandbox } from "../kernel-sandbox.ts";
import type { Sandbox } from "../sandbox.ts";
import { createJupyterApi } from "./api.ts";
import { createJupyterFiles } from "./files.ts";
import { connectFromWorker, runInKernel, type Connect } from "./kernel-channel.ts";

/** For a kernel to take up what it was sent, before it is sent again. */
const PATIENCE_MS = [3000, 6000, 12_000, Infinity];

export interface JupyterOptions {
  /** Of a Jupyter Server; one a tenant, as its kernels can read each other's files and its token. */
  url: string;
  token: string;
  /** How a WebSocket is opened with headers, which differs by platform. */
  connect?: Connect;
  graceMs?: number;
}

/** Kernels of a Jupyter Server, over its REST interface and a WebSocket for each run. */
export function createSandbox({ url, token, connect = connectFromWorker, graceMs }: JupyterOptions): Sandbox {
  const api = createJupyterApi({ url, token });
  const files = createJupyterFiles(api);
  const known = new Map<string, string>();

  interface Session {
    id: string;
    path: string;
    kernel: { id: string };
  }

  /** A session is Jupyter's name for a kernel that belongs to a path: it is found by that, whoever made it. */
  const pathOf = (name: string) => `${name}/kernel`;

  async function find(name: string): Promise<Session | undefined> {
    const sessions = await api.json<Session[]>("GET", "sessions");
    return sessions.find(({ path }) => path === pathOf(name));
  }

  async function kernelOf(name: string): Promise<string | undefined> {
    const id = known.get(name) ?? (await find(name))?.kernel.id;
    if (id) known.set(name, id);
    return id;
  }

  async function state(name: string): Promise<string | undefined> {
    const id = await kernelOf(name);
    if (id === undefined) return undefined;
    const kernel = await api.find<{ execution_state: string }>(`kernels/${id}`);
    if (!kernel) known.delete(name);
    return kernel?.execution_state;
  }

  const post = async (name: string, action: "interrupt" | "restart") => {
    const id = await kernelOf(name);
    if (id !== undefined) await api.send("POST", `kernels/${id}/${action}`);
  };

  return createKernelSandbox(
    {
      ...files,
      where: api.where,

      async ensure(name) {
        const found = (await state(name)) !== undefined;
        if (found) return;
        await files.makeFolder(name);
        const body = { path: pathOf(name), name, type: "console", kernel: { name: "python3" } };
        const session = await api.json<Session>("POST", "sessions", body);
        known.set(name, session.kernel.id);
      },

      async run(name, code, onEvent) {
        for (const patienceMs of PATIENCE_MS) {
          const id = await kernelOf(name);
          if (id === undefined) return "died";
          const socket = await connect(api.socketUrl(id), { authorization: `token ${token}` }).catch(
            async (error: unknown) => {
              if ((await state(name)) === undefined) return undefined;
              throw api.unreachable(error);
            },
          );
          if (!socket) return "died";
          const outcome = await runInKernel(socket, code, onEvent, patienceMs);
          if (outcome === "cut" && (await state(name)) === undefined) return "died";
          if (outcome !== "unheard") return outcome;
        }
        return "cut";
      },

      isBusy: async (name) => (await state(name)) === "busy",
      interrupt: (name) => post(name, "interrupt"),
      restart: (name) => post(name, "restart"),

      async close(name) {
        known.delete(name);
        const session = await find(name);
        if (session) await api.send("DELETE", `sessions/${session.id}`);
      },
    },
    graceMs === undefined ? {} : { graceMs },
  );
}

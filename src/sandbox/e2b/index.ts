import { createKernelSandbox } from "../kernel-sandbox.ts";
import type { Sandbox } from "../sandbox.ts";
import { createE2bApi, type PortUrl } from "./api.ts";
import { runInContext } from "./execute.ts";
import { createE2bFiles, HOME } from "./files.ts";

export interface E2bOptions {
  /** Of the control plane: https://api.e2b.app */
  url: string;
  /** The API key. */
  token: string;
  /** Where a sandbox's ports are reached. */
  portUrl?: PortUrl;
  graceMs?: number;
}

/** Code interpreters of E2B: a sandbox of its own for each context, by the raw wire. */
export function createSandbox({ url, token, portUrl, graceMs }: E2bOptions): Sandbox {
  const api = createE2bApi({ url, apiKey: token, ...(portUrl ? { portUrl } : {}) });
  const files = createE2bFiles(api);

  interface CodeContext {
    id: string;
    cwd: string;
  }

  const cwdOf = (name: string) => `${HOME}/${name}`;

  async function contextOf(name: string): Promise<string | undefined> {
    const contexts = await api.interpreter<CodeContext[]>(name, "GET", "contexts");
    return contexts?.find(({ cwd }) => cwd === cwdOf(name))?.id;
  }

  return createKernelSandbox(
    {
      ...files,
      where: api.where,

      async ensure(name) {
        await api.start(name);
        if ((await contextOf(name)) !== undefined) return;
        await files.makeFolder(name);
        await api.interpreter(name, "POST", "contexts", { language: "python", cwd: cwdOf(name) });
      },

      async run(name, code, onEvent) {
        const id = await contextOf(name);
        if (id === undefined) return "died";
        const response = await api.execute(name, { code, context_id: id });
        return response ? await runInContext(response, onEvent) : "died";
      },

      // There is no way to ask whether it is busy, nor to interrupt it.
      async restart(name) {
        const id = await contextOf(name);
        if (id !== undefined) await api.interpreter(name, "POST", `contexts/${id}/restart`);
      },
      close: (name) => api.stop(name),
    },
    graceMs === undefined ? {} : { graceMs },
  );
}

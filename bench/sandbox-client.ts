import { randomUUID } from "node:crypto";
import { timed } from "./measure.ts";

/** Calls the sandbox server as the Worker's driver does. */
export function createSandboxClient({ url, token }: { url: string; token: string }) {
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
  const send = async (method: string, path: string, body?: object) =>
    void (await (await call(method, path, body)).arrayBuffer());

  return {
    empty: () => send("GET", "/health"),
    close: (context: string) => send("DELETE", context),
    suspend: (context: string) => send("POST", `${context}/suspend`),
    /** The path of a new context, and how long it took. */
    async open(): Promise<{ context: string; ms: number }> {
      const context = `/v1/contexts/${randomUUID()}`;
      const { ms } = await timed(() => send("PUT", context, { engine: "pyodide" }));
      return { context, ms };
    },
    /** Runs code to its end, which has to be this one. */
    async run(context: string, code: string, status = "success"): Promise<void> {
      const body = { execution_id: randomUUID(), code, timeout_ms: 20_000 };
      const text = await (await call("POST", `${context}/executions`, body)).text();
      if (!text.includes(`"status":"${status}"`)) throw new Error(`Not ${status}: ${text.slice(-500)}`);
    },
    interrupt: (context: string) => send("POST", `${context}/interrupt`),
  };
}

export type SandboxClient = ReturnType<typeof createSandboxClient>;

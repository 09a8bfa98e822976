import { showUrl } from "../../lib/safe-url.ts";
import { SandboxUnreachableError } from "../sandbox.ts";

const RETRY_PAUSES_MS = [100, 250, 500, 1000, 2000];

/** Jupyter Server's REST interface. */
export function createJupyterApi({ url, token }: { url: string; token: string }) {
  const where = showUrl(url);
  const base = url.replace(/\/+$/, "");

  const unreachable = (cause: unknown) =>
    new SandboxUnreachableError(
      `The Jupyter Server at ${where} can't be reached. Check SANDBOX_URL and that the server is up.`,
      { cause },
    );

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    // What may be asked twice without harm is.
    const pauses = method === "GET" || method === "DELETE" ? RETRY_PAUSES_MS : [];
    for (let attempt = 0; ; attempt++) {
      const pause = pauses[attempt];
      try {
        // The scheme is `token`: an older server takes no other.
        const headers = { authorization: `token ${token}`, "content-type": "application/json" };
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        return await fetch(`${base}/${path}`, { method, headers, ...init });
      } catch (error) {
        if (pause === undefined) throw unreachable(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async function expectOk(response: Response, doing: string): Promise<Response> {
    if (response.ok) return response;
    if (response.status === 401 || response.status === 403) {
      throw new SandboxUnreachableError(
        `The Jupyter Server at ${where} refused the token. Check SANDBOX_TOKEN.`,
      );
    }
    const text = (await response.text().catch(() => "")).slice(0, 300).replaceAll(token, "…");
    throw new SandboxUnreachableError(
      `The Jupyter Server at ${where} answered ${response.status} to ${doing}: ${text}`,
    );
  }

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    return expectOk(await call(method, `api/${path}`, body), `${method} ${path}`);
  }

  /** Undefined when it isn't there. */
  async function get(path: string): Promise<Response | undefined> {
    const response = await call("GET", path);
    return response.status === 404 ? undefined : expectOk(response, `GET ${path}`);
  }

  return {
    where,
    unreachable,
    get,
    send: async (method: string, path: string, body?: unknown) => {
      await (await send(method, path, body)).body?.cancel();
    },
    json: async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
      (await send(method, path, body)).json() as Promise<Answer>,
    find: async <Answer>(path: string): Promise<Answer | undefined> =>
      (await get(`api/${path}`))?.json() as Promise<Answer> | undefined,
    socketUrl: (kernelId: string) =>
      `${base}/api/kernels/${kernelId}/channels?session_id=${crypto.randomUUID()}`,
  };
}

export type JupyterApi = ReturnType<typeof createJupyterApi>;

import { showUrl } from "../../lib/safe-url.ts";
import { SandboxUnreachableError } from "../sandbox.ts";

const INTERPRETER_PORT = 49999;
const FILES_PORT = 49983;
const TEMPLATE = "code-interpreter-v1";
/** After which an idle sandbox is paused, with its memory. */
const IDLE_SECONDS = 900;

/** The address of a port of a sandbox. */
export type PortUrl = (port: number, sandboxId: string, domain: string) => string;

interface Running {
  sandboxID: string;
  domain?: string | null;
  envdAccessToken?: string | null;
}

/** E2B's control plane, and the two services inside each sandbox. A sandbox is found by the name in its metadata. */
export function createE2bApi(options: { url: string; apiKey: string; portUrl?: PortUrl }) {
  const { apiKey, portUrl = (port, id, domain) => `https://${port}-${id}.${domain}` } = options;
  const base = options.url.replace(/\/+$/, "");
  const where = showUrl(base);
  const known = new Map<string, Running>();

  async function send(url: string, headers: Record<string, string>, init: RequestInit): Promise<Response> {
    const json: Record<string, string> =
      typeof init.body === "string" ? { "content-type": "application/json" } : {};
    return fetch(url, { ...init, headers: { ...json, ...headers } }).catch((cause: unknown) => {
      throw new SandboxUnreachableError(`E2B at ${where} can't be reached.`, { cause });
    });
  }

  async function expectOk(response: Response, doing: string): Promise<Response> {
    if (response.ok) return response;
    const hint = response.status === 401 || response.status === 403 ? " Check SANDBOX_TOKEN." : "";
    await response.body?.cancel();
    throw new SandboxUnreachableError(`E2B at ${where} answered ${response.status} to ${doing}.${hint}`);
  }

  const control = (method: string, path: string, body?: object) =>
    send(
      `${base}/${path}`,
      { "x-api-key": apiKey },
      { method, ...(body ? { body: JSON.stringify(body) } : {}) },
    );

  async function connect(sandboxId: string): Promise<Running | undefined> {
    const response = await control("POST", `sandboxes/${sandboxId}/connect`, { timeout: IDLE_SECONDS });
    if (response.status === 404) return undefined;
    return (await expectOk(response, "connecting to a sandbox")).json() as Promise<Running>;
  }

  /** Running again if it was paused; undefined when there is none. */
  async function find(name: string): Promise<Running | undefined> {
    const held = known.get(name);
    if (held) return held;
    const metadata = encodeURIComponent(new URLSearchParams({ taskweaver: name }).toString());
    const listed = await control("GET", `v2/sandboxes?metadata=${metadata}&state=running,paused`);
    const [first] = (await (await expectOk(listed, "listing sandboxes")).json()) as Running[];
    const running = first && (await connect(first.sandboxID));
    if (running) known.set(name, { ...first, ...running });
    return known.get(name);
  }

  async function inside(
    name: string,
    port: number,
    path: string,
    init: RequestInit,
  ): Promise<Response | undefined> {
    const running = await find(name);
    if (!running) return undefined;
    const { sandboxID, domain, envdAccessToken } = running;
    const headers: Record<string, string> = envdAccessToken ? { "x-access-token": envdAccessToken } : {};
    const response = await send(`${portUrl(port, sandboxID, domain ?? "e2b.app")}/${path}`, headers, init);
    if (response.status !== 502) return response;
    // It has been paused or has ended meanwhile.
    await response.body?.cancel();
    known.delete(name);
    return undefined;
  }

  return {
    where,
    expectOk,
    files: (name: string, path: string, init: RequestInit) => inside(name, FILES_PORT, path, init),

    /** Undefined when there is no such sandbox or context. */
    async interpreter<Answer>(
      name: string,
      method: string,
      path: string,
      body?: object,
    ): Promise<Answer | undefined> {
      const init = { method, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await inside(name, INTERPRETER_PORT, path, init);
      if (!response || response.status === 404) return undefined;
      const text = await (await expectOk(response, `${method} ${path}`)).text();
      return (text === "" ? undefined : JSON.parse(text)) as Answer;
    },

    async execute(name: string, body: object): Promise<Response | undefined> {
      const init = { method: "POST", body: JSON.stringify(body) };
      const response = await inside(name, INTERPRETER_PORT, "execute", init);
      if (!response || response.status === 404) return undefined;
      return expectOk(response, "running code");
    },

    /** Has a sandbox of this name running, for a while from now on. */
    async start(name: string): Promise<void> {
      const held = known.get(name);
      if (held && (await connect(held.sandboxID))) return;
      known.delete(name);
      if (await find(name)) return;
      const created = await control("POST", "sandboxes", {
        templateID: TEMPLATE,
        timeout: IDLE_SECONDS,
        secure: true,
        allow_internet_access: false,
        autoPause: true,
        metadata: { taskweaver: name },
      });
      known.set(name, (await (await expectOk(created, "starting a sandbox")).json()) as Running);
    },

    async stop(name: string): Promise<void> {
      const running = await find(name);
      known.delete(name);
      if (!running) return;
      const response = await control("DELETE", `sandboxes/${running.sandboxID}`);
      if (response.status !== 404) await expectOk(response, "ending a sandbox");
    },
  };
}

export type E2bApi = ReturnType<typeof createE2bApi>;

import { DurableObject } from "cloudflare:workers";
import { createContainerDoor } from "./container-door.ts";

interface Env {
  SANDBOX: DurableObjectNamespace<SandboxContainer>;
  SANDBOX_TOKEN: string;
  /** Settings of the sandbox server, if not its defaults. */
  SANDBOX_ENGINE?: string;
  SANDBOX_JAIL?: string;
  SANDBOX_MAX_CONTEXTS?: string;
  SANDBOX_MEMORY_MB?: string;
}

const IDLE_MS = 20 * 60_000;

/** The sandbox server of this folder's parent, in a container of Cloudflare's. */
export class SandboxContainer extends DurableObject<Env> {
  readonly #door: ReturnType<typeof createContainerDoor>;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    if (!state.container)
      throw new Error("SandboxContainer has no container: see [[containers]] in wrangler.toml.");
    const settings = Object.entries(env).filter(([name]) => name.startsWith("SANDBOX_"));
    const variables = Object.fromEntries(settings.map(([name, value]) => [name, String(value)]));
    this.#door = createContainerDoor({ container: state.container, variables, idleMs: IDLE_MS });
  }

  override fetch(request: Request): Promise<Response> {
    return this.#door.fetch(request);
  }
}

/** For those who reach it by an address. The server asks for its token itself. */
export default {
  fetch: (request: Request, env: Env) => env.SANDBOX.getByName("sandbox-0").fetch(request),
} satisfies ExportedHandler<Env>;

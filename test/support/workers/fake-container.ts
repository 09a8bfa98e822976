/**
 * A container as a Durable Object has it in `ctx.container`, by Cloudflare's pages: `start` comes back at once, ports refuse
 * connections until the program listens, and `monitor` settles when it has ended. Behind its port is a server of the network.
 */
export function fakeContainer({
  url,
  token,
  refusals = 2,
}: {
  url: string;
  token: string;
  refusals?: number;
}) {
  const started: ContainerStartupOptions[] = [];
  let ended: PromiseWithResolvers<void> | undefined;
  let refusing = 0;
  let inactivityMs: number | undefined;

  async function fetchPort(port: number, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { protocol, pathname, search } = new URL(request.url);
    if (protocol !== "http:") throw new Error("Connecting to a container using HTTPS is not supported.");
    if (!ended) throw new Error("The container is not running, consider calling start()");
    if (port !== 8788 || refusing-- > 0) {
      throw new Error("The container is not listening in the TCP address 10.0.0.1:8788");
    }
    // The server that stands in for the one inside has a token of its own.
    const { env } = started.at(-1)!;
    const headers = new Headers(request.headers);
    if (headers.get("authorization") === `Bearer ${env?.["SANDBOX_TOKEN"]}`) {
      headers.set("authorization", `Bearer ${token}`);
    }
    return fetch(`${url}${pathname}${search}`, new Request(request, { headers }));
  }

  const container = {
    get running() {
      return ended !== undefined;
    },
    start(options: ContainerStartupOptions = {}) {
      if (ended) throw new Error("start() cannot be called on a container that is already running.");
      ended = Promise.withResolvers();
      started.push(options);
      refusing = refusals;
    },
    monitor() {
      if (!ended) throw new Error("monitor() cannot be called on a container that is not running.");
      return ended.promise;
    },
    getTcpPort: (port: number) => ({
      fetch: (input: RequestInfo | URL, init?: RequestInit) => fetchPort(port, input, init),
    }),
    setInactivityTimeout: async (milliseconds: number) => void (inactivityMs = milliseconds),
  };
  return {
    container: container as unknown as Container,
    started,
    inactivityMs: () => inactivityMs,
    /** As when it crashes, or the platform moves it. */
    end(): void {
      const before = ended;
      ended = undefined;
      before?.reject(new Error("container exited with unexpected exit code: 137"));
    },
  };
}

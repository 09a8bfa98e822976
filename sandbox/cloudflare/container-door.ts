const PORT = 8788;
const POLL_MS = 200;
/** A machine is found for it, its image loaded, and Pyodide's first snapshot made. */
const START_MS = 90_000;

export interface ContainerDoorOptions {
  /** As a Durable Object has it in `ctx.container`. */
  container: Container;
  /** Environment of the sandbox server. */
  variables: Record<string, string>;
  /** After which a container without requests is stopped. */
  idleMs: number;
  pollMs?: number;
}

/** The sandbox server in a container: started when somebody asks, and asked on when it answers. */
export function createContainerDoor(options: ContainerDoorOptions) {
  const { container, variables, idleMs, pollMs = POLL_MS } = options;
  let ready: Promise<void> | undefined;

  function start(): void {
    container.start({ env: { SANDBOX_HOST: "0.0.0.0", ...variables }, enableInternet: false });
    const ended = () => void (ready = undefined);
    container.monitor().then(ended, (error: unknown) => {
      console.error("The sandbox's container ended:", error);
      ended();
    });
  }

  /** `running` says that it was started, not that it answers. */
  async function waitUntilReady(): Promise<void> {
    await container.setInactivityTimeout(idleMs);
    const giveUpAt = Date.now() + START_MS;
    for (let reason: unknown; Date.now() < giveUpAt; await pause(pollMs)) {
      if (!container.running) start();
      try {
        const answer = await container.getTcpPort(PORT).fetch("http://container/health");
        await answer.body?.cancel();
        if (answer.ok) return;
        reason = new Error(`/health answered ${answer.status}`);
      } catch (error) {
        reason = error;
      }
      if (Date.now() + pollMs >= giveUpAt) throw reason;
    }
  }

  return {
    async fetch(request: Request): Promise<Response> {
      try {
        await (ready ??= waitUntilReady());
      } catch (error) {
        ready = undefined;
        console.error("The sandbox's container doesn't answer:", error);
        const message = "The sandbox's container could not be started.";
        return Response.json({ error: { code: "not_ready", message } }, { status: 503 });
      }
      const { pathname, search } = new URL(request.url);
      try {
        return await container
          .getTcpPort(PORT)
          .fetch(new Request(`http://container${pathname}${search}`, request));
      } catch (error) {
        // It may have ended: whoever asks next starts another.
        ready = undefined;
        throw error;
      }
    },
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

import { WorkerEntrypoint } from "cloudflare:workers";
import { deploymentOf } from "./app.ts";
import { hostRound } from "./loop/host-round.ts";
import { StaleRunnerError } from "./memory/store.ts";
import type { Lease, RoundRequest } from "./session/session.ts";

/** An alarm may take 15 minutes: well before that the round is left to the next one, at a Post's boundary. */
const HAND_OVER_MS = 10 * 60_000;

/** Runs a round that nobody waits for: called by the session's object, over the loopback. */
export class RoundRunner extends WorkerEntrypoint<Env> {
  async run(call: { version: 1; request: RoundRequest; lease: string; leaseMs: number }): Promise<void> {
    const { request } = call;
    const started = Date.now();
    const services = await deploymentOf(this.env).messageServices({
      tenant: request.tenant,
      id: request.sessionId,
    });
    try {
      await hostRound({
        request,
        lease: JSON.parse(call.lease) as Lease,
        services: { ...services, limits: { ...services.limits, leaseMs: call.leaseMs } },
        shouldHandOver: () => Date.now() - started > HAND_OVER_MS,
      });
    } catch (error) {
      // Another runner has it now, and sees to its end.
      if (!(error instanceof StaleRunnerError)) throw error;
    }
  }
}

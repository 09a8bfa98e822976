import { app, deploymentOf } from "./app.ts";
import { takeUpRounds } from "./take-up-rounds.ts";

export { RoundRunner } from "./round-runner.ts";
export { SessionObject } from "./session/session-object.ts";

export default {
  fetch: app.fetch,
  async scheduled({ scheduledTime }, env) {
    await takeUpRounds(deploymentOf(env), scheduledTime);
  },
} satisfies ExportedHandler<Env>;

import { app, deploymentOf } from "./app.ts";
import { deleteIdleSessions } from "./delete-idle-sessions.ts";
import { takeUpRounds } from "./take-up-rounds.ts";

export { QuotaObject } from "./quota/quota-object.ts";
export { RoundRunner } from "./round-runner.ts";
export { SessionObject } from "./session/session-object.ts";

export default {
  fetch: app.fetch,
  async scheduled({ scheduledTime }, env) {
    const deployment = deploymentOf(env);
    await takeUpRounds(deployment, scheduledTime);
    await deleteIdleSessions(deployment, scheduledTime);
    await deployment.lessonKeeper.tend(scheduledTime);
    await deployment.documents.tend();
    await deployment.idempotentRequests.forgetOld(scheduledTime);
  },
} satisfies ExportedHandler<Env>;

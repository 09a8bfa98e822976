import type { Deployment } from "./channels/channel.ts";
import { deleteSession } from "./delete-session.ts";

const SESSIONS_AT_ONCE = 50;

/** Deletes sessions that nothing has happened in for as long as the deployment keeps them. */
export async function deleteIdleSessions(deployment: Deployment, now: number): Promise<number> {
  const { retentionMs } = deployment.config;
  if (retentionMs === undefined) return 0;
  const idle = await deployment.store.findIdleSessions({
    before: now - retentionMs,
    limit: SESSIONS_AT_ONCE,
  });
  for (const ref of idle) await deleteSession(deployment, ref);
  return idle.length;
}

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deploymentOf } from "../src/app.ts";
import { deleteIdleSessions } from "../src/delete-idle-sessions.ts";
import { call, newSession, send } from "./support/workers/api.ts";

it("sessions are kept for as long as the deployment says, then deleted with all that is theirs", async () => {
  const [old, recent] = [await newSession({ roles: ["echo"] }), await newSession({ roles: ["echo"] })];
  for (const session of [old, recent]) await send(session, "hello");
  const day = 24 * 3600_000;
  const longAgo = Date.now() - 8 * day;
  const aged = ["UPDATE sessions SET updated_at = ?1 WHERE id = ?2"];
  aged.push("UPDATE rounds SET created_at = ?1, finished_at = ?1 WHERE session_id = ?2");
  await env.DB.batch(aged.map((statement) => env.DB.prepare(statement).bind(longAgo, old)));

  const deployment = deploymentOf(env);
  expect(await deleteIdleSessions(deployment, Date.now())).toBe(0);
  const keepsAWeek = { ...deployment, config: { ...deployment.config, retentionMs: 7 * day } };
  expect(await deleteIdleSessions(keepsAWeek, Date.now())).toBe(1);
  expect((await call(`/v1/sessions/${old}`)).status).toBe(404);
  expect((await call(`/v1/sessions/${recent}`)).status).toBe(200);
  const { results } = await env.DB.prepare("SELECT id FROM posts WHERE session_id = ?").bind(old).all();
  expect(results).toEqual([]);
});

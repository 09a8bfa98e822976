import { Hono } from "hono";
import * as z from "zod";
import { createId } from "../../lib/id.ts";
import type { Session } from "../../memory/session.ts";
import { deleteSession } from "../../delete-session.ts";
import { wireSession } from "../../memory/wire.ts";
import { checkRoles } from "./check-roles.ts";
import type { HttpEnv } from "./http.ts";
import { sessionExists, sessionNotFound } from "./problem.ts";
import { readJson, readPage } from "./read-json.ts";
import { metadata, roleNames, sessionId, title, variables } from "./session-fields.ts";

export const newSession = z.strictObject({
  id: sessionId.optional(),
  roles: roleNames.optional(),
  title: title.optional(),
  metadata: metadata.optional(),
  variables: variables.optional(),
});

export const sessionChange = z.strictObject({ title: title.optional(), metadata: metadata.optional() });

export const sessionRoutes = new Hono<HttpEnv>()
  .post("/v1/sessions", async (c) => {
    const body = await readJson(c.req.raw, newSession);
    const now = Date.now();
    const session: Session = {
      tenant: c.var.tenant,
      id: body.id ?? createId("session"),
      roles: await checkRoles(body.roles ?? c.var.deployment.config.defaultRoles, c.var.deployment),
      title: body.title ?? null,
      metadata: body.metadata ?? {},
      variables: body.variables ?? {},
      variablesVersion: 0,
      state: "idle",
      createdAt: now,
      updatedAt: now,
    };
    if (!(await c.var.deployment.store.createSession(session))) {
      throw sessionExists(session.id);
    }
    return c.json(wireSession(session), 201);
  })

  .get("/v1/sessions", async (c) => {
    const { items, nextCursor } = await c.var.deployment.store.listSessions(
      c.var.tenant,
      readPage(c.req.raw, /^\d{1,15}~./),
    );
    return c.json({ data: items.map(wireSession), next_cursor: nextCursor ?? null });
  })

  .get("/v1/sessions/:id", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const session = await c.var.deployment.store.getSession(ref);
    if (!session) throw sessionNotFound(ref.id);
    return c.json(wireSession(session));
  })

  .patch("/v1/sessions/:id", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const body = await readJson(c.req.raw, sessionChange);
    const session = await c.var.deployment.store.updateSession(ref, body);
    if (!session) throw sessionNotFound(ref.id);
    return c.json(wireSession(session));
  })

  .delete("/v1/sessions/:id", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    if (!(await c.var.deployment.store.getSession(ref))) throw sessionNotFound(ref.id);
    await deleteSession(c.var.deployment, ref);
    return c.body(null, 204);
  });

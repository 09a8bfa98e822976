import { Hono } from "hono";
import * as z from "zod";
import { createId } from "../../lib/id.ts";
import { PLANNER } from "../../memory/post.ts";
import type { Session } from "../../memory/session.ts";
import { wireSession } from "../../memory/wire.ts";
import type { Deployment } from "../channel.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { readJson, readPage } from "./read-json.ts";

const title = z.string().max(500).nullable();
const metadata = z.record(z.string(), z.unknown());

const newSession = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/,
      "1 to 128 letters, digits and . _ ~ -, beginning with a letter or digit",
    )
    .optional(),
  roles: z.array(z.string()).min(1).optional(),
  title: title.optional(),
  metadata: metadata.optional(),
  variables: z.record(z.string(), z.string()).optional(),
});

const sessionChange = z.strictObject({ title: title.optional(), metadata: metadata.optional() });

export const sessionRoutes = new Hono<HttpEnv>()
  .post("/v1/sessions", async (c) => {
    const body = await readJson(c.req.raw, newSession);
    const now = Date.now();
    const session: Session = {
      tenant: c.var.tenant,
      id: body.id ?? createId("session"),
      roles: checkRoles(body.roles ?? c.var.deployment.config.defaultRoles, c.var.deployment),
      title: body.title ?? null,
      metadata: body.metadata ?? {},
      variables: body.variables ?? {},
      state: "idle",
      createdAt: now,
      updatedAt: now,
    };
    if (!(await c.var.deployment.store.createSession(session))) {
      throw new HttpProblem(409, "session_exists", `There is a session "${session.id}" already.`);
    }
    return c.json(wireSession(session), 201);
  })

  .get("/v1/sessions", async (c) => {
    const { items, nextCursor } = await c.var.deployment.store.listSessions(
      c.var.tenant,
      readPage(c.req.raw),
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
    const { sessionClient, files, abilities, contextId } = await c.var.deployment.messageServices(ref);
    if (!(await c.var.deployment.store.deleteSession(ref))) throw sessionNotFound(ref.id);
    await Promise.all([
      sessionClient.destroy(),
      files.deleteAll(),
      // Its interpreter goes by itself when idle; that it can't be reached now is no reason to keep the session.
      abilities.sandbox
        .close(contextId)
        .catch((error: unknown) => console.warn("Interpreter not closed.", error)),
    ]);
    return c.body(null, 204);
  });

function checkRoles(names: string[], { roles }: Deployment): string[] {
  const refuse = (detail: string) => new HttpProblem(422, "invalid_roles", detail);
  const unknown = names.find((name) => !roles.has(name));
  if (unknown !== undefined) {
    throw refuse(`There is no role "${unknown.slice(0, 100)}". Known are: ${[...roles.keys()].join(", ")}.`);
  }
  if (new Set(names).size < names.length) throw refuse("A role is named twice.");
  if (names.filter((name) => name.startsWith("code_interpreter")).length > 1) {
    throw refuse("A session takes one kind of code interpreter at most.");
  }
  const hasPlanner = names.some((name) => roles.get(name)!.alias === PLANNER);
  if (!hasPlanner && names.length > 1) throw refuse("Several workers need the planner among the roles.");
  return names;
}

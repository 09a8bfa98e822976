import { Hono, type Context } from "hono";
import * as z from "zod";
import { factsOfRounds, stateOf, type SharedState } from "../../memory/shared-state.ts";
import type { HttpEnv } from "./http.ts";
import { sessionNotFound } from "./problem.ts";
import { readJson } from "./read-json.ts";

const MAX_KEYS = 100;

/** `{key: value}`; null takes a key away, what isn't named stays. */
export const changes = z
  .record(
    z.string().min(1).max(200),
    z.union([z.string().max(10_000), z.number().transform(String), z.boolean().transform(String), z.null()]),
  )
  .refine((given) => Object.keys(given).length <= MAX_KEYS, `${MAX_KEYS} keys at most at once`);

export const sharedStateRoutes = new Hono<HttpEnv>()
  .get("/v1/sessions/:id/variables", async (c) => {
    const ref = refOf(c);
    const session = await c.var.deployment.store.getSession(ref);
    if (!session) throw sessionNotFound(ref.id);
    return c.json(session.variables);
  })

  .put("/v1/sessions/:id/variables", async (c) => {
    const ref = refOf(c);
    const { store, sessionClient } = await c.var.deployment.messageServices(ref);
    const session = await store.mergeVariables(ref, await readJson(c.req.raw, changes));
    if (!session) throw sessionNotFound(ref.id);
    const variables = { version: session.variablesVersion, values: session.variables };
    await sessionClient.tellOutside({ facts: [], variables });
    return c.json(session.variables);
  })

  .get("/v1/sessions/:id/signals", async (c) => c.json((await readState(c)).signals))

  .put("/v1/sessions/:id/signals", async (c) => {
    const ref = refOf(c);
    const { store, sessionClient } = await c.var.deployment.messageServices(ref);
    const outside = await store.setSignals(ref, await readJson(c.req.raw, changes));
    if (!outside) throw sessionNotFound(ref.id);
    await sessionClient.tellOutside({ facts: outside });
    return c.json((await readState(c)).signals);
  })

  .get("/v1/sessions/:id/shared-memory", async (c) =>
    c.json({ data: (await readState(c)).shared, next_cursor: null }),
  )

  .get("/v1/sessions/:id/board", async (c) => c.json((await readState(c)).board));

const refOf = (c: Context<HttpEnv>) => ({ tenant: c.var.tenant, id: c.req.param("id")! });

/** What roles share now: as the session's object holds it, or, before any round has told it, as the database has it. */
async function readState(c: Context<HttpEnv>): Promise<SharedState> {
  const ref = refOf(c);
  const { store, sessionClient } = await c.var.deployment.messageServices(ref);
  const [session, held] = await Promise.all([store.getSession(ref), sessionClient.sharedState()]);
  if (!session) throw sessionNotFound(ref.id);
  if (held) return held;
  const { rounds = [], outside = [] } = (await store.loadConversation(ref)) ?? {};
  return stateOf([...factsOfRounds(rounds), ...outside], rounds.at(-1)?.seq ?? 0);
}

import { Hono, type Context } from "hono";
import { createId, postId } from "../../lib/id.ts";
import { PLANNER, USER } from "../../memory/post.ts";
import type { Round } from "../../memory/round.ts";
import { wireRound } from "../../memory/wire.ts";
import type { RoundRequest } from "../../session/session.ts";
import type { HttpEnv } from "./http.ts";
import { answerRound } from "./messages.ts";
import { HttpProblem, roundNotFound, sessionNotFound } from "./problem.ts";
import { readPage } from "./read-json.ts";

/** `?explain=1` tells of each post what its role was shown. */
const explainOf = (c: Context<HttpEnv>) => ({ explain: c.req.query("explain") === "1" });

export const roundRoutes = new Hono<HttpEnv>()
  .get("/v1/sessions/:id/rounds", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const [session, page] = await Promise.all([
      c.var.deployment.store.getSession(ref),
      c.var.deployment.store.listRounds(ref, readPage(c.req.raw, /^\d{1,15}$/)),
    ]);
    if (!session) throw sessionNotFound(ref.id);
    const data = page.items.map((round) => wireRound(ref.id, round, explainOf(c)));
    return c.json({ data, next_cursor: page.nextCursor ?? null });
  })

  .get("/v1/sessions/:id/rounds/:rid", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { store, sessionClient } = await c.var.deployment.messageServices(ref);
    const round = await store.getRound(ref, c.req.param("rid"));
    if (round) return c.json(wireRound(ref.id, round, explainOf(c)));
    const waiting = await sessionClient.findRequest(c.req.param("rid"));
    if (!waiting) throw roundNotFound();
    return c.json(wireRound(ref.id, asWaiting(waiting)));
  })

  .post("/v1/sessions/:id/rounds/:rid/cancel", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { store, sessionClient } = await c.var.deployment.messageServices(ref);
    if (await sessionClient.cancel(c.req.param("rid"))) return c.body(null, 202);
    const round = await store.getRound(ref, c.req.param("rid"));
    if (!round) throw roundNotFound();
    throw new HttpProblem(409, "round_ended", `The round has ended already: it is ${round.state}.`);
  })

  .post("/v1/sessions/:id/rounds/:rid/retry", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const services = await c.var.deployment.messageServices(ref);
    const round = await services.store.getRound(ref, c.req.param("rid"));
    if (!round) throw roundNotFound();
    const request: RoundRequest = {
      tenant: ref.tenant,
      sessionId: ref.id,
      roundId: c.var.claim ?? createId("round"),
      userQuery: round.userQuery,
      createdAt: Date.now(),
      keyId: c.var.caller.keyId,
    };
    return answerRound(c, request, services);
  });

/** A round that is accepted and hasn't begun: nothing of it is in the conversation yet. */
function asWaiting({ roundId, userQuery, createdAt }: RoundRequest): Round {
  const request = {
    id: postId(roundId, 0),
    sendFrom: USER,
    sendTo: PLANNER,
    message: userQuery,
    attachments: [],
  };
  return { id: roundId, seq: 0, userQuery, state: "created", posts: [request], createdAt };
}

import { Hono } from "hono";
import * as z from "zod";
import { copyFiles } from "../../files/copy-files.ts";
import { createId } from "../../lib/id.ts";
import type { Round } from "../../memory/round.ts";
import { rememberedUpTo } from "../../memory/summary.ts";
import { wireSession } from "../../memory/wire.ts";
import type { HttpEnv } from "./http.ts";
import { makeSession } from "./make-session.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { readJson } from "./read-json.ts";
import { sessionId, title } from "./session-fields.ts";

export const forkRequest = z.strictObject({
  at_round: z.string().optional(),
  id: sessionId.optional(),
  title: title.optional(),
});

export const forkRoutes = new Hono<HttpEnv>().post("/v1/sessions/:id/fork", async (c) => {
  const { deployment, tenant } = c.var;
  const ref = { tenant, id: c.req.param("id") };
  const body = await readJson(c.req.raw, forkRequest);
  const { store, files } = await deployment.messageServices(ref);
  const original = await store.loadConversation(ref);
  if (!original) throw sessionNotFound(ref.id);
  const rounds = roundsUpTo(original.rounds, body.at_round);
  const lastSeq = rounds.at(-1)?.seq ?? 0;
  const outside = original.outside.filter(({ roundSeq }) => roundSeq <= lastSeq);
  const now = Date.now();
  const session = {
    ...original.session,
    // What the next round began with is what there was after this one.
    variables: original.rounds[rounds.length]?.variables ?? original.session.variables,
    id: body.id ?? createId("session"),
    title: body.title === undefined ? original.session.title : body.title,
    state: "idle" as const,
    createdAt: now,
    updatedAt: now,
  };
  const copied = new Set(rounds.map(({ id }) => id));
  await makeSession({
    conversation: { session, rounds, outside, ...rememberedUpTo(original, lastSeq) },
    putFiles: (to) => copyFiles({ from: files, to, isWanted: ({ roundId }) => copied.has(roundId) }),
    deployment,
  });
  return c.json(wireSession(session), 201, { location: `/v1/sessions/${session.id}` });
});

/** The rounds that have ended, up to the one that is named or to the last. */
function roundsUpTo(rounds: Round[], atRound: string | undefined): Round[] {
  const end = atRound === undefined ? rounds.length - 1 : rounds.findIndex(({ id }) => id === atRound);
  if (atRound !== undefined && end < 0) {
    throw new HttpProblem(404, "round_not_found", "There is no such round in this session.");
  }
  if (atRound !== undefined && rounds[end]!.state === "created") {
    throw new HttpProblem(
      409,
      "round_running",
      "The round hasn't ended. Fork at an earlier one, or wait for its end.",
    );
  }
  const upTo = rounds.slice(0, end + 1);
  return upTo.at(-1)?.state === "created" ? upTo.slice(0, -1) : upTo;
}

import { Hono } from "hono";
import * as z from "zod";
import { toRawConversation } from "../../experience/raw-conversation.ts";
import { learnFromRound } from "../../experience/learn-from-round.ts";
import { experienceRole } from "./experience-role.ts";
import { subPath, wireExperience } from "./experiences.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, roundNotFound, sessionNotFound } from "./problem.ts";
import { readJson } from "./read-json.ts";

export const saved = z.strictObject({
  sub_path: subPath.nullable().optional(),
  role: z.string().nullable().optional(),
  /** Keeps of the attachments only the plans. */
  thin: z.boolean().default(true),
});

/** A row of the database, with room for what else is in it. */
const MAX_RAW = 400_000;

const MAX_SCORE = 100;
export const feedback = z.strictObject({
  score: z.number().min(-MAX_SCORE).max(MAX_SCORE),
  note: z.string().max(5000).nullable().optional(),
});

/** What is learned from conversations: a session saved as experience, and what people think of a round. */
export const learnRoutes = new Hono<HttpEnv>()
  .post("/v1/sessions/:id/experience", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { deployment } = c.var;
    const body = await readJson(c.req.raw, saved);
    const role = experienceRole(deployment, body.role);
    const conversation = await deployment.store.loadConversation(ref);
    if (!conversation) throw sessionNotFound(ref.id);
    const ended = conversation.rounds.filter(({ state }) => state !== "created");
    if (ended.length === 0) {
      throw new HttpProblem(409, "nothing_to_learn", "No round of the session has ended yet.");
    }
    const raw = toRawConversation(ref.id, ended, { thin: body.thin });
    if (JSON.stringify(raw).length > MAX_RAW) {
      throw new HttpProblem(
        413,
        "session_too_large",
        `The record of the session would have more than ${MAX_RAW} characters. Save it thin, or fork it at an earlier round.`,
      );
    }
    const { store } = deployment.experiences(ref.tenant);
    const experience = await store.addRaw({ role, subPath: body.sub_path ?? "", raw, sessionId: ref.id });
    deployment.lessonKeeper.drawSoon();
    return c.json(wireExperience(experience), 202, { location: `/v1/experiences/${experience.id}` });
  })

  .post("/v1/sessions/:id/rounds/:rid/feedback", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { deployment } = c.var;
    const { score, note } = await readJson(c.req.raw, feedback);
    const given = { score, at: Date.now(), ...(note ? { note } : {}) };
    const roundId = c.req.param("rid");
    if (!(await deployment.store.setFeedback(ref, roundId, given))) throw roundNotFound();
    const { learnFromScore } = deployment.config;
    if (learnFromScore !== undefined && score >= learnFromScore) {
      const conversation = await deployment.store.loadConversation(ref);
      const { store } = deployment.experiences(ref.tenant);
      if (conversation && (await learnFromRound(conversation, roundId, store)))
        deployment.lessonKeeper.drawSoon();
    }
    return c.body(null, 204);
  });

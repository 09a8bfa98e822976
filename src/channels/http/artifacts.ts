import { Hono } from "hono";
import type { Artifact } from "../../files/files.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";

export const artifactRoutes = new Hono<HttpEnv>()
  .get("/v1/sessions/:id/artifacts", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { files } = await c.var.deployment.messageServices(ref);
    const [session, artifacts] = await Promise.all([
      c.var.deployment.store.getSession(ref),
      files.listArtifacts(),
    ]);
    if (!session) throw sessionNotFound(ref.id);
    return c.json({ data: artifacts.map(wireArtifact), next_cursor: null });
  })

  .get("/v1/sessions/:id/artifacts/:aid", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { files } = await c.var.deployment.messageServices(ref);
    const found = await files.getArtifact(c.req.param("aid"));
    if (!found)
      throw new HttpProblem(404, "artifact_not_found", "There is no such artifact in this session.");
    return new Response(found.body, {
      headers: {
        "content-type": found.artifact.mime,
        "content-length": String(found.size),
        // Model-written HTML and SVG is downloaded, never opened as a page of ours.
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found.artifact.name)}`,
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
      },
    });
  });

export function wireArtifact(artifact: Artifact) {
  const { roundId, postId, createdAt, ...rest } = artifact;
  return { ...rest, round_id: roundId, post_id: postId, created_at: new Date(createdAt).toISOString() };
}

import { Hono } from "hono";
import { wireArtifact } from "../../files/files.ts";
import type { HttpEnv } from "./http.ts";
import { answerLink } from "./links.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { serveFile } from "./serve-file.ts";

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
    const id = c.req.param("aid");
    return serveFile(c.req.raw, {
      find: () => files.findArtifact(id),
      async open(range) {
        const found = await files.getArtifact(id, range);
        return found && { ...found.artifact, size: found.size, etag: found.etag, body: found.body };
      },
      notFound,
    });
  })

  .post("/v1/sessions/:id/artifacts/:aid/link", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const { files } = await c.var.deployment.messageServices(ref);
    if (!(await files.findArtifact(c.req.param("aid")))) throw notFound();
    return answerLink(c);
  });

const notFound = () =>
  new HttpProblem(404, "artifact_not_found", "There is no such artifact in this session.");

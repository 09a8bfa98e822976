import { Hono, type Context } from "hono";
import * as z from "zod";
import { ExperienceExistsError } from "../../experience/d1-experiences.ts";
import type { Experience } from "../../experience/experience.ts";
import {
  ExperienceFileError,
  readExperienceFiles,
  writeExperienceFiles,
} from "../../experience/yaml-files.ts";
import { isSubPath } from "../../lib/sub-path.ts";
import { experienceRole } from "./experience-role.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";
import { readJson, readPage } from "./read-json.ts";

const MAX_TEXT = 20_000;
const MAX_FILES = 5000;
const MAX_FILE = 400_000;

export const subPath = z
  .string()
  .refine(
    isSubPath,
    "a path within the base folder: no .., no backslash, not absolute, 200 characters at most",
  );
const role = z.string().nullable();
const experienceText = z
  .string()
  .max(MAX_TEXT)
  .refine((text) => text.trim() !== "", "it must not be empty");

export const newExperience = z.strictObject({
  role: role.optional(),
  sub_path: subPath.nullable().optional(),
  experience_text: experienceText,
});
export const experienceChange = z.strictObject({
  role: role.optional(),
  sub_path: subPath.nullable().optional(),
  experience_text: experienceText.optional(),
});
export const search = z.strictObject({
  query: z.string().min(1).max(MAX_TEXT),
  role: role.optional(),
  sub_path: subPath.nullable().optional(),
  k: z.int().min(1).max(50).default(5),
});
export const importFiles = z.strictObject({
  files: z
    .array(
      z.strictObject({
        role: role.optional(),
        path: z.string().refine((path) => path !== "" && isSubPath(path), "a path within the base folder"),
        content: z.string().max(MAX_FILE),
      }),
    )
    .max(MAX_FILES),
});

export const experienceRoutes = new Hono<HttpEnv>()
  .get("/v1/experiences", async (c) => {
    await c.var.deployment.lessonKeeper.synced();
    const { store } = experiencesOf(c);
    const { items, nextCursor } = await store.list(readPage(c.req.raw, /^\d~\d{1,15}~/), filingOf(c));
    return c.json({ data: items.map(wireExperience), next_cursor: nextCursor ?? null });
  })

  .post("/v1/experiences", async (c) => {
    const body = await readJson(c.req.raw, newExperience);
    const experience = await experiencesOf(c).store.add({
      role: experienceRole(c.var.deployment, body.role),
      subPath: body.sub_path ?? "",
      text: body.experience_text,
    });
    c.var.deployment.lessonKeeper.embedSoon();
    return c.json(wireExperience(experience), 201, { location: `/v1/experiences/${experience.id}` });
  })

  .post("/v1/experiences/search", async (c) => {
    const body = await readJson(c.req.raw, search);
    const { lessons } = await experiencesOf(c).lessons.find({
      role: body.role === undefined ? undefined : experienceRole(c.var.deployment, body.role),
      query: body.query,
      subPath: body.sub_path ?? "",
      limit: body.k,
    });
    return c.json({
      data: lessons.map(({ id, score, text, subPath: folder }) => ({
        id,
        score,
        experience_text: text,
        sub_path: folder,
      })),
    });
  })

  .get("/v1/experiences/export", async (c) => {
    const lessons = await experiencesOf(c).store.exportAll(filingOf(c));
    return c.json({ files: lessons.flatMap(writeExperienceFiles) });
  })

  .post("/v1/experiences/import", async (c) => {
    const { files } = await readJson(c.req.raw, importFiles);
    try {
      const lessons = readExperienceFiles(
        files.map((file) => ({ ...file, role: experienceRole(c.var.deployment, file.role) })),
      );
      await experiencesOf(c).store.putAll(lessons);
      c.var.deployment.lessonKeeper.drawSoon();
      return c.json({ imported: lessons.length });
    } catch (error) {
      if (error instanceof ExperienceFileError) throw new HttpProblem(422, error.code, error.message);
      throw error;
    }
  })

  // The project's lessons have slashes in their ids.
  .get("/v1/experiences/:id{.+}", async (c) => {
    await c.var.deployment.lessonKeeper.synced();
    const experience = await experiencesOf(c).store.get(c.req.param("id"));
    if (!experience) throw notFound();
    return c.json(wireExperience(experience));
  })

  .put("/v1/experiences/:id{.+}", async (c) => {
    const body = await readJson(c.req.raw, experienceChange);
    await checkOwn(c);
    const outcome = await experiencesOf(c)
      .store.update(c.req.param("id"), {
        ...(body.role === undefined ? {} : { role: experienceRole(c.var.deployment, body.role) }),
        ...(body.sub_path === undefined ? {} : { subPath: body.sub_path ?? "" }),
        ...(body.experience_text === undefined ? {} : { text: body.experience_text }),
      })
      .catch((error: unknown) => {
        if (error instanceof ExperienceExistsError) throw new HttpProblem(409, error.code, error.message);
        throw error;
      });
    if (!outcome) throw notFound();
    c.var.deployment.lessonKeeper.embedSoon();
    return c.json(wireExperience(outcome));
  })

  .delete("/v1/experiences/:id{.+}", async (c) => {
    await checkOwn(c);
    await experiencesOf(c).store.remove(c.req.param("id")!);
    return c.body(null, 204);
  });

const experiencesOf = (c: Context<HttpEnv>) => c.var.deployment.experiences(c.var.tenant);

/** `?role=` and `?sub_path=` narrow a list. */
function filingOf(c: Context<HttpEnv>) {
  const [askedRole, folder] = [c.req.query("role"), c.req.query("sub_path")];
  return {
    ...(askedRole === undefined ? {} : { role: experienceRole(c.var.deployment, askedRole) }),
    ...(folder === undefined ? {} : { subPath: folder }),
  };
}

async function checkOwn(c: Context<HttpEnv>): Promise<void> {
  const experience = await experiencesOf(c).store.get(c.req.param("id")!);
  if (!experience) throw notFound();
  if (!experience.isOwn)
    throw new HttpProblem(
      409,
      "experience_of_project",
      "This lesson is a file of the project: change it there and deploy.",
    );
}

const notFound = () => new HttpProblem(404, "experience_not_found", "There is no such experience.");

export function wireExperience(experience: Experience) {
  return {
    id: experience.id,
    exp_id: experience.expId,
    role: experience.role,
    sub_path: experience.subPath,
    kind: experience.kind,
    source: experience.isOwn ? "own" : "project",
    state: experience.state,
    experience_text: experience.text,
    error: experience.error,
    merged_into: experience.mergedInto,
    session_id: experience.sessionId,
    created_at: new Date(experience.createdAt).toISOString(),
    updated_at: new Date(experience.updatedAt).toISOString(),
  };
}

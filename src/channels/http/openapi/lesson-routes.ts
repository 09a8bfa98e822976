import * as z from "zod";
import { experienceChange, importFiles, newExperience, search } from "../experiences.ts";
import { page } from "../read-json.ts";
import { experience, experienceFile, foundExperience, listOf } from "./answers.ts";
import type { RouteDoc } from "./route-doc.ts";

const filing = { role: z.string().optional(), sub_path: z.string().optional() };

export const lessonDocs: RouteDoc[] = [
  {
    route: "GET /v1/experiences",
    group: "Lessons",
    summary: "Lists lessons",
    query: { ...page, ...filing },
    answers: { 200: { what: "a page of lessons", body: listOf(experience) } },
    problems: ["invalid_limit", "invalid_cursor", "invalid_roles"],
  },
  {
    route: "POST /v1/experiences",
    group: "Lessons",
    summary: "Adds a lesson, to be found at once",
    body: newExperience,
    example: { experience_text: "Ask for the unit before converting." },
    answers: { 201: { what: "the lesson", body: experience, headers: ["Location"] } },
    problems: ["invalid_roles"],
  },
  {
    route: "POST /v1/experiences/search",
    group: "Lessons",
    summary: "Finds the lessons nearest to a query",
    body: search,
    example: { query: "units" },
    answers: { 200: { what: "the nearest first", body: z.strictObject({ data: z.array(foundExperience) }) } },
    problems: ["invalid_roles"],
  },
  {
    route: "GET /v1/experiences/export",
    group: "Lessons",
    summary: "All lessons as files",
    query: filing,
    answers: { 200: { what: "the files", body: z.strictObject({ files: z.array(experienceFile) }) } },
    problems: ["invalid_roles"],
  },
  {
    route: "POST /v1/experiences/import",
    group: "Lessons",
    summary: "Takes lessons in from files",
    body: importFiles,
    example: { files: [] },
    answers: { 200: { what: "how many", body: z.strictObject({ imported: z.int() }) } },
    problems: ["invalid_roles", "invalid_experience_file"],
  },
  {
    route: "GET /v1/experiences/:id{.+}",
    group: "Lessons",
    summary: "Shows a lesson",
    answers: { 200: { what: "the lesson", body: experience } },
    problems: ["experience_not_found"],
  },
  {
    route: "PUT /v1/experiences/:id{.+}",
    group: "Lessons",
    summary: "Changes a lesson",
    body: experienceChange,
    example: { experience_text: "Ask for the unit first." },
    answers: { 200: { what: "the lesson", body: experience } },
    problems: ["experience_not_found", "experience_of_project", "invalid_roles"],
  },
  {
    route: "DELETE /v1/experiences/:id{.+}",
    group: "Lessons",
    summary: "Deletes a lesson",
    answers: { 204: { what: "it is gone" } },
    problems: ["experience_not_found", "experience_of_project"],
  },
];

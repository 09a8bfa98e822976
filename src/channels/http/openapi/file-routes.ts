import { linkRequest } from "../links.ts";
import { page } from "../read-json.ts";
import { artifact, file, link, listOf } from "./answers.ts";
import { download } from "./download.ts";
import type { ProblemCode } from "./problem-codes.ts";
import type { RouteDoc } from "./route-doc.ts";

const signing = (notFound: ProblemCode) =>
  ({
    body: linkRequest,
    example: { expires_in: 3600 },
    answers: { 201: { what: "an address that needs no key", body: link } },
    problems: [notFound, "links_not_set_up"],
  }) satisfies Partial<RouteDoc>;

export const fileDocs: RouteDoc[] = [
  {
    route: "GET /v1/sessions/:id/files",
    group: "Files",
    summary: "Lists uploads by name",
    query: page,
    answers: { 200: { what: "a page of uploads", body: listOf(file) } },
    problems: ["session_not_found", "invalid_limit"],
  },
  {
    route: "PUT /v1/sessions/:id/files/:name",
    group: "Files",
    summary: "Uploads a file; the next round is told of it, and its code finds it in the working folder",
    body: "bytes",
    answers: {
      200: { what: "the file, in place of an earlier one", body: file },
      201: { what: "the file", body: file },
    },
    problems: ["session_not_found", "file_too_large", "invalid_file_name"],
  },
  {
    route: "GET /v1/sessions/:id/files/:name",
    group: "Files",
    summary: "Downloads an upload",
    ...download("file_not_found"),
    problems: [...download("file_not_found").problems, "invalid_file_name"],
  },
  {
    route: "DELETE /v1/sessions/:id/files/:name",
    group: "Files",
    summary: "Deletes an upload; what code has copied stays",
    answers: { 204: { what: "it is gone" } },
    problems: ["file_not_found", "invalid_file_name"],
  },
  {
    route: "POST /v1/sessions/:id/files/:name/link",
    group: "Files",
    summary: "Signs a link to an upload",
    ...signing("file_not_found"),
    problems: [...signing("file_not_found").problems, "invalid_file_name"],
  },
  {
    route: "GET /v1/sessions/:id/artifacts",
    group: "Files",
    summary: "Lists what code made",
    answers: { 200: { what: "the artifacts, oldest first", body: listOf(artifact) } },
    problems: ["session_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/artifacts/:aid",
    group: "Files",
    summary: "Downloads an artifact",
    ...download("artifact_not_found"),
  },
  {
    route: "POST /v1/sessions/:id/artifacts/:aid/link",
    group: "Files",
    summary: "Signs a link to an artifact",
    ...signing("artifact_not_found"),
  },
];

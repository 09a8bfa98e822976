import * as z from "zod";
import { documentSearch } from "../documents.ts";
import { page } from "../read-json.ts";
import { document, listOf, snippet } from "./answers.ts";
import { download } from "./download.ts";
import type { RouteDoc } from "./route-doc.ts";

export const documentDocs: RouteDoc[] = [
  {
    route: "GET /v1/documents",
    group: "Documents",
    summary: "Lists documents by name",
    query: page,
    answers: { 200: { what: "a page of documents", body: listOf(document) } },
    problems: ["invalid_limit"],
  },
  {
    route: "POST /v1/documents/search",
    group: "Documents",
    summary: "Finds what documents say about something, as the DocumentRetriever does",
    body: documentSearch,
    example: { query: "How long may goods be returned?" },
    answers: {
      200: { what: "what was found, nearest first", body: z.strictObject({ data: z.array(snippet) }) },
    },
  },
  {
    route: "PUT /v1/documents/:name",
    group: "Documents",
    summary: "Uploads a document (text, Markdown, HTML, JSON, CSV as UTF-8), to be found at once",
    body: "bytes",
    answers: {
      200: { what: "the document, in place of an earlier one or the same as it", body: document },
      201: { what: "the document", body: document },
    },
    problems: [
      "invalid_file_name",
      "document_too_large",
      "body_too_large",
      "unsupported_document",
      "document_empty",
    ],
  },
  {
    route: "GET /v1/documents/:name",
    group: "Documents",
    summary: "Downloads a document as it was uploaded",
    ...download("document_not_found"),
    problems: [...download("document_not_found").problems, "invalid_file_name"],
  },
  {
    route: "DELETE /v1/documents/:name",
    group: "Documents",
    summary: "Deletes a document; what was answered by it stays",
    answers: { 204: { what: "it is gone" } },
    problems: ["document_not_found", "invalid_file_name"],
  },
];

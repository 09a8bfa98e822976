import * as z from "zod";
import { forkRequest } from "../fork.ts";
import { newSession, sessionChange } from "../sessions.ts";
import { changes } from "../shared-state.ts";
import { page } from "../read-json.ts";
import { sessionId } from "../session-fields.ts";
import { listOf, session, sharedEntry, texts } from "./answers.ts";
import type { RouteDoc } from "./route-doc.ts";

export const sessionDocs: RouteDoc[] = [
  {
    route: "POST /v1/sessions",
    group: "Sessions",
    summary: "Makes a session",
    body: newSession,
    example: { roles: ["planner", "code_interpreter"], title: "Sales" },
    answers: { 201: { what: "the session", body: session } },
    problems: ["session_exists", "invalid_roles", "sandbox_unreachable"],
  },
  {
    route: "GET /v1/sessions",
    group: "Sessions",
    summary: "Lists sessions, newest first",
    query: page,
    answers: { 200: { what: "a page of sessions", body: listOf(session) } },
    problems: ["invalid_limit", "invalid_cursor"],
  },
  {
    route: "GET /v1/sessions/:id",
    group: "Sessions",
    summary: "Shows a session",
    answers: { 200: { what: "the session", body: session } },
    problems: ["session_not_found"],
  },
  {
    route: "PATCH /v1/sessions/:id",
    group: "Sessions",
    summary: "Changes title or metadata",
    body: sessionChange,
    example: { title: "Renamed" },
    answers: { 200: { what: "the session", body: session } },
    problems: ["session_not_found"],
  },
  {
    route: "DELETE /v1/sessions/:id",
    group: "Sessions",
    summary: "Deletes a session with its rounds, files, artifacts and interpreter",
    answers: { 204: { what: "it is gone" } },
    problems: ["session_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/export",
    group: "Sessions",
    summary: "The session as one file",
    query: { format: z.enum(["session", "taskweaver"]).default("session") },
    answers: { 200: { what: "the file, as a download", body: z.record(z.string(), z.unknown()) } },
    problems: ["session_not_found", "invalid_format", "export_too_large"],
  },
  {
    route: "POST /v1/sessions/import",
    group: "Sessions",
    summary: "Makes a session of such a file, or of TaskWeaver's dump of a conversation",
    query: { id: sessionId.optional() },
    body: z.looseObject({}),
    example: { rounds: [] },
    answers: { 201: { what: "the session", body: session, headers: ["Location"] } },
    problems: ["session_exists", "invalid_id", "invalid_roles", "sandbox_unreachable"],
  },
  {
    route: "POST /v1/sessions/:id/fork",
    group: "Sessions",
    summary: "Copies a session up to a round",
    body: forkRequest,
    example: {},
    answers: { 201: { what: "the new session", body: session, headers: ["Location"] } },
    problems: ["session_not_found", "round_not_found", "session_exists", "round_running"],
  },
  {
    route: "GET /v1/sessions/:id/variables",
    group: "Shared state",
    summary: "The session's variables, as plugins get them",
    answers: { 200: { what: "the variables", body: texts } },
    problems: ["session_not_found"],
  },
  {
    route: "PUT /v1/sessions/:id/variables",
    group: "Shared state",
    summary: "Sets variables; null takes one away, the others stay",
    body: changes,
    example: { region: "north" },
    answers: { 200: { what: "the variables", body: texts } },
    problems: ["session_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/signals",
    group: "Shared state",
    summary: "The signals, as roles or somebody outside set them",
    answers: { 200: { what: "the signals", body: texts } },
    problems: ["session_not_found"],
  },
  {
    route: "PUT /v1/sessions/:id/signals",
    group: "Shared state",
    summary: "Sets signals; null takes one away, the others stay",
    body: changes,
    example: { mood: "calm" },
    answers: { 200: { what: "the signals", body: texts } },
    problems: ["session_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/shared-memory",
    group: "Shared state",
    summary: "What roles share, as it is in force",
    answers: { 200: { what: "the entries, newest last", body: listOf(sharedEntry) } },
    problems: ["session_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/board",
    group: "Shared state",
    summary: "The round's bulletins by role",
    answers: { 200: { what: "the board", body: texts } },
    problems: ["session_not_found"],
  },
];

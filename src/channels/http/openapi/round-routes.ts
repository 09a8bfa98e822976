import * as z from "zod";
import { feedback, saved } from "../learn.ts";
import { newMessage } from "../messages.ts";
import { page } from "../read-json.ts";
import { acceptedRound, experience, listOf, round } from "./answers.ts";
import type { RouteDoc } from "./route-doc.ts";

const explain = { explain: z.literal("1").optional() };

/** What a message and a retry have in common. */
const running = {
  headers: {
    Prefer: "`respond-async` answers at once with a place to look, `wait=N` after N seconds",
    "If-Busy": "`reject` refuses the message when another round runs",
    Accept: "`text/event-stream` has the round's events told as they happen, `round_end` last",
  },
  answers: {
    200: { what: "the round, or its events", body: round, orType: "text/event-stream" },
    202: { what: "the round is accepted", body: acceptedRound, headers: ["Location"] },
  },
} satisfies Partial<RouteDoc>;

export const roundDocs: RouteDoc[] = [
  {
    route: "POST /v1/sessions/:id/messages",
    group: "Rounds",
    summary: "Sends a message and runs its round",
    ...running,
    body: newMessage,
    example: { message: "what is 6 times 7?" },
    problems: [
      "session_not_found",
      "session_busy",
      "invalid_prefer",
      "message_empty",
      "message_too_large",
      "invalid_file_name",
      "unknown_file",
      "too_many_rounds",
      "token_quota",
    ],
  },
  {
    route: "GET /v1/sessions/:id/rounds",
    group: "Rounds",
    summary: "Lists rounds, newest first",
    query: { ...page, ...explain },
    answers: { 200: { what: "a page of rounds", body: listOf(round) } },
    problems: ["session_not_found", "invalid_limit", "invalid_cursor"],
  },
  {
    route: "GET /v1/sessions/:id/rounds/:rid",
    group: "Rounds",
    summary: "Shows a round; `explain=1` tells what each role was shown",
    query: explain,
    answers: { 200: { what: "the round", body: round } },
    problems: ["round_not_found"],
  },
  {
    route: "POST /v1/sessions/:id/rounds/:rid/cancel",
    group: "Rounds",
    summary: "Stops a round that waits or runs",
    answers: { 202: { what: "it is being stopped" } },
    problems: ["round_not_found", "round_ended"],
  },
  {
    route: "POST /v1/sessions/:id/rounds/:rid/retry",
    group: "Rounds",
    summary: "A new round with the same request",
    ...running,
    problems: [
      "round_not_found",
      "session_not_found",
      "session_busy",
      "invalid_prefer",
      "too_many_rounds",
      "token_quota",
    ],
  },
  {
    route: "POST /v1/sessions/:id/rounds/:rid/feedback",
    group: "Rounds",
    summary: "Keeps what somebody thinks of a round",
    body: feedback,
    example: { score: 1, note: "right at once" },
    answers: { 204: { what: "it is kept" } },
    problems: ["round_not_found"],
  },
  {
    route: "GET /v1/sessions/:id/events",
    group: "Rounds",
    summary: "The session's events as they happen, server-sent or over a WebSocket",
    query: { cursor: z.string().optional() },
    headers: {
      "Last-Event-ID": "tells again what came after that event",
      Upgrade: "`websocket`: an event a message",
    },
    answers: {
      200: { what: "the events", body: "text/event-stream" },
      101: { what: "the WebSocket is open" },
    },
    problems: ["session_not_found", "invalid_last_event_id"],
  },
  {
    route: "POST /v1/sessions/:id/experience",
    group: "Lessons",
    summary: "Has lessons drawn from the session",
    body: saved,
    example: {},
    answers: { 202: { what: "the lesson to be", body: experience, headers: ["Location"] } },
    problems: ["session_not_found", "nothing_to_learn", "session_too_large", "invalid_roles"],
  },
];

import * as z from "zod";
import type { AnswerDoc, RouteDoc } from "../route-doc.ts";
import { chatRequest } from "./request.ts";

const error = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: "OpenAiError" });

const model = z
  .object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() })
  .meta({ id: "OpenAiModel" });

const completion = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal("assistant"),
          content: z.string(),
          refusal: z.null(),
          reasoning_content: z.string().optional(),
        }),
        logprobs: z.null(),
        finish_reason: z.string(),
      }),
    ),
    usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
    metadata: z.object({ session_id: z.string(), round_id: z.string() }),
  })
  .meta({ id: "OpenAiCompletion" });

const refusal = (what: string): AnswerDoc => ({ what, body: error });
const always = {
  401: refusal("no key, or one that isn't known"),
  403: refusal("the key's scopes don't allow it"),
  429: refusal("the key has used up what it may"),
  431: refusal("the headers are too large"),
  503: refusal("the deployment is misconfigured, or its keys can't be read"),
};

/** What OpenAI's clients find here. */
export const openAiDocs: RouteDoc[] = [
  {
    route: "GET /v1/models",
    group: "OpenAI's shapes",
    summary: "The agents of this deployment, each a set of roles",
    answers: {
      200: { what: "all of them", body: z.object({ object: z.literal("list"), data: z.array(model) }) },
    },
    refusals: always,
  },
  {
    route: "GET /v1/models/:model",
    group: "OpenAI's shapes",
    summary: "One of them",
    answers: { 200: { what: "it", body: model } },
    refusals: { ...always, 404: refusal("there is no such model") },
  },
  {
    route: "POST /v1/chat/completions",
    group: "OpenAI's shapes",
    summary: "A message of a session, in OpenAI's shape; with `stream`, as chunks",
    headers: { "X-Session-Id": "the session to go on with, made on first use" },
    body: chatRequest,
    example: { model: "taskweaver", messages: [{ role: "user", content: "What is 6 times 7?" }] },
    answers: {
      200: {
        what: "the answer",
        body: completion,
        orType: "text/event-stream",
        headers: ["X-Session-Id", "X-Round-Id"],
      },
    },
    refusals: {
      ...always,
      400: refusal("what is wrong with the request, by `param`"),
      404: refusal("there is no such model"),
      409: refusal("the same request is being answered already"),
      413: refusal("the message or the body is too large"),
      422: refusal("the round failed, with its code; or the idempotency key belongs to another request"),
    },
  },
];

import { Hono } from "hono";
import { prepareRound, runAndWait } from "../../loop/send-message.ts";
import type { ChannelEnv, Deployment } from "../channel.ts";
import { answerOf, completion } from "./completion.ts";
import { createCompletionStream } from "./completion-stream.ts";
import { ChatError, errorBody, ROUND_FAILED } from "./error.ts";
import { findSession } from "./find-session.ts";
import { chatRequest, readMessages } from "./request.ts";
import { digestOf } from "./threads.ts";

const MAX_MESSAGE_CHARACTERS = 256 * 1024;

/** The paths whose errors are told in OpenAI's form, wherever they come from. */
export const ownsPath = (path: string): boolean =>
  path === "/v1/models" || path.startsWith("/v1/models/") || path.startsWith("/v1/chat/");
export { errorBody };
export { openAiDocs } from "./route-docs.ts";

/** OpenAI's shapes over the same sessions and rounds, so that clients that exist work. */
export const openAiRoutes = new Hono<ChannelEnv>()
  .get("/v1/models", (c) =>
    c.json({ object: "list", data: Object.keys(c.var.deployment.config.agentModels).map(modelObject) }),
  )
  .get("/v1/models/:model", (c) => {
    rolesOf(c.var.deployment, c.req.param("model"));
    return c.json(modelObject(c.req.param("model")));
  })
  .post("/v1/chat/completions", async (c) => {
    const { deployment, tenant } = c.var;
    const request = await readRequest(c.req.raw);
    const roles = rolesOf(deployment, request.model);
    const read = readMessages(request);
    const named = c.req.header("x-session-id") ?? request.metadata?.session_id;
    const { id, isNew } = await findSession({ deployment, tenant, model: request.model, roles, named, read });
    // What the client tells the model holds for the whole conversation: it is said when that begins.
    const said = isNew && read.instructions !== "" ? `${read.instructions}\n\n${read.message}` : read.message;
    if (said.length > MAX_MESSAGE_CHARACTERS) {
      const limit = `The message is over ${MAX_MESSAGE_CHARACTERS} characters long. Send longer text as a file.`;
      throw new ChatError(413, "message_too_large", limit, "messages");
    }
    const ref = { tenant, id };
    const services = await deployment.messageServices(ref);
    const files = read.files.map(({ name, content }) => ({
      name,
      async put() {
        await services.files.putUpload(name, content);
      },
    }));
    const { claim: roundId, caller } = c.var;
    const keyId = caller.keyId;
    const round = (await prepareRound({ ref, message: said, files, roundId, keyId }, services))!;
    const withReasoning = request.include_reasoning ?? false;
    const headers = { "x-session-id": id, "x-round-id": round.roundId };
    const stream = request.stream
      ? createCompletionStream({
          roundId: round.roundId,
          model: request.model,
          withReasoning,
          withUsage: request.stream_options?.include_usage ?? false,
        })
      : undefined;
    const ended = runAndWait({
      request: round,
      rejectIfBusy: false,
      services,
      onEvent: (event) => stream?.write(event),
    }).then(async (outcome) => {
      if (outcome.kind !== "round") throw new ChatError(404, "session_not_found", "The session is gone.");
      if (outcome.round.state === "finished" && named === undefined) {
        const answer = { role: "assistant", text: answerOf(outcome.round) };
        const messages = [...read.history, { role: "user", text: read.message }, answer];
        const digest = await digestOf(request.model, read.instructions, messages);
        await deployment.chatThreads.keep(tenant, digest, { sessionId: id, roundId: round.roundId });
      }
      return outcome.round;
    });
    // A client that leaves doesn't end its round.
    c.executionCtx.waitUntil(ended.catch(() => {}));
    if (stream) {
      ended.then(stream.finish, (error: unknown) => {
        console.error("A streamed answer failed.", error);
        stream.fail("The request failed. The server's log says why.");
      });
      return stream.response(headers);
    }
    const finished = await ended;
    if (finished.state === "failed") {
      const { code, message } = finished.error ?? { code: "round_failed", message: "The round failed." };
      throw new ChatError(ROUND_FAILED, code, message);
    }
    return c.json(
      completion({ round: finished, sessionId: id, model: request.model, withReasoning }),
      200,
      headers,
    );
  });

openAiRoutes.onError((error, c) => {
  if (!(error instanceof ChatError)) throw error;
  return c.json(errorBody(error), error.status as 400);
});

function modelObject(id: string) {
  return { id, object: "model", created: 0, owned_by: "taskweaver-edge" };
}

function rolesOf({ config }: Deployment, model: string): string[] {
  const roles = Object.hasOwn(config.agentModels, model) ? config.agentModels[model] : undefined;
  if (roles) return roles;
  const known = Object.keys(config.agentModels).join(", ");
  throw new ChatError(
    404,
    "model_not_found",
    `There is no model "${model.slice(0, 100)}". There are: ${known}.`,
    "model",
  );
}

async function readRequest(request: Request) {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    // A SyntaxError, or bytes that are no UTF-8.
    throw new ChatError(400, "invalid_json", "The body is no JSON.");
  }
  const parsed = chatRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const param = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : String(key))).join(".");
  throw new ChatError(400, "invalid_request", `${param || "body"}: ${issue.message}`, param || null);
}

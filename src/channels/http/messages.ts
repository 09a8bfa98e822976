import { Hono, type Context } from "hono";
import * as z from "zod";
import { InvalidFileNameError, parseFileName } from "../../files/files.ts";
import { mediaTypeOf } from "../../files/media-type.ts";
import type { RoundServices } from "../../loop/run-round.ts";
import { prepareRound, runAndWait, type MessageFile, type MessageOutcome } from "../../loop/send-message.ts";
import type { SessionRef } from "../../memory/session.ts";
import { wireRound } from "../../memory/wire.ts";
import type { RoundRequest } from "../../session/session.ts";
import { createEventStream } from "./event-stream.ts";
import { putFromId } from "./file-id.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { parsePrefer } from "./prefer.ts";
import { beginRound } from "./quotas.ts";
import { readJson } from "./read-json.ts";

const MAX_MESSAGE_BYTES = 256 * 1024;

export const newMessage = z.strictObject({
  message: z.string(),
  files: z
    .array(
      z
        .strictObject({
          name: z.string(),
          content_base64: z.base64().optional(),
          /** Of an upload or an artifact, as they are listed. */
          file_id: z.string().max(2000).optional(),
        })
        .refine(
          (file) => (file.content_base64 === undefined) !== (file.file_id === undefined),
          "it takes either content_base64 or file_id",
        ),
    )
    .max(100)
    .optional(),
});

export const messageRoutes = new Hono<HttpEnv>().post("/v1/sessions/:id/messages", async (c) => {
  const { message, files } = checkMessage(await readJson(c.req.raw, newMessage));
  const ref = { tenant: c.var.tenant, id: c.req.param("id") };
  const services = await c.var.deployment.messageServices(ref);
  const request = await prepareRound(
    {
      ref,
      message,
      files: filesToPut(c, ref, files, services),
      roundId: c.var.claim,
      keyId: c.var.caller.keyId,
    },
    services,
  );
  if (!request) throw sessionNotFound(ref.id);
  return answerRound(c, request, services);
});

/** Each file of a message with the way it gets into the session: as bytes, or from where it lies already. */
function filesToPut(
  c: Context<HttpEnv>,
  ref: SessionRef,
  given: ReturnType<typeof checkMessage>["files"],
  { files }: RoundServices,
): MessageFile[] {
  const { deployment } = c.var;
  return given.map(({ name, content, id }) => ({
    name,
    async put() {
      if (content) await files.putUpload(name, content, { mime: mediaTypeOf(name, undefined) });
      else await putFromId({ id: id!, name, to: ref, files, deployment });
    },
  }));
}

/** Has a round run and answers as the client prefers: with the round, its events, or a place to look for it. */
export async function answerRound(c: Context<HttpEnv>, request: RoundRequest, services: RoundServices) {
  const { tenant, sessionId, roundId } = request;
  c.set("roundId", roundId);
  const prefer = parsePrefer(c.req.header("prefer"));
  const freePlace = await beginRound(c, request);
  const location = `/v1/sessions/${sessionId}/rounds/${roundId}`;
  if (prefer.respondAsync) {
    if (!(await services.store.getSession({ tenant, id: sessionId }))) {
      await freePlace();
      throw sessionNotFound(sessionId);
    }
    await services.sessionClient.enqueue({ request, leaseMs: services.limits.leaseMs });
    return accepted(location, roundId);
  }

  const wantsEvents = (c.req.header("accept") ?? "").includes("text/event-stream");
  const stream = wantsEvents ? createEventStream() : undefined;
  const outcome = runAndWait({
    request,
    rejectIfBusy: c.req.header("if-busy")?.toLowerCase() === "reject",
    services,
    onEvent: stream?.write ?? (() => {}),
  });
  // A client that leaves doesn't end its round; should this handler end with it, the session's object sees to the rest.
  c.executionCtx.waitUntil(outcome.catch(() => {}).then(freePlace));

  if (stream) {
    // Once there is something to tell the answer is a stream; a refusal before that is an ordinary error.
    await Promise.race([stream.hasBegun, outcome.then((ended) => expectRound(ended, sessionId))]);
    outcome.then(stream.end, stream.end);
    return stream.response();
  }
  const timeUp = prefer.waitSeconds === undefined ? undefined : scheduler.wait(prefer.waitSeconds * 1000);
  const ended = await Promise.race([outcome, ...(timeUp ? [timeUp] : [])]);
  if (!ended) return accepted(location, roundId);
  const { round } = expectRound(ended, sessionId);
  if (round.usage) c.var.spent.receipt = round.usage;
  return c.json(wireRound(sessionId, round));
}

function accepted(location: string, roundId: string): Response {
  return Response.json({ id: roundId, state: "created" }, { status: 202, headers: { location } });
}

function checkMessage({ message, files = [] }: z.infer<typeof newMessage>) {
  if (message.trim() === "") {
    throw new HttpProblem(422, "message_empty", "The message is empty. Say what is to be done.");
  }
  const bytes = new TextEncoder().encode(message).length;
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new HttpProblem(
      413,
      "message_too_large",
      `The message has ${bytes} bytes; ${MAX_MESSAGE_BYTES} are allowed. Send longer text as a file.`,
    );
  }
  return {
    message,
    files: files.map(({ name, content_base64: content, file_id: id }, index) => {
      try {
        return {
          name: parseFileName(name),
          content: content === undefined ? undefined : Uint8Array.fromBase64(content),
          id,
        };
      } catch (error) {
        if (!(error instanceof InvalidFileNameError)) throw error;
        throw new HttpProblem(422, error.code, error.message, {
          errors: [{ path: `files.${index}.name`, message: error.message }],
        });
      }
    }),
  };
}

function expectRound(outcome: MessageOutcome, sessionId: string) {
  if (outcome.kind === "no_session") throw sessionNotFound(sessionId);
  if (outcome.kind === "busy") {
    throw new HttpProblem(
      409,
      "session_busy",
      "Another round of this session is running. Send the message later.",
    );
  }
  return outcome;
}

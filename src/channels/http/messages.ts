import { Hono } from "hono";
import * as z from "zod";
import { InvalidFileNameError, parseFileName } from "../../files/files.ts";
import { sendMessage, type MessageOutcome } from "../../loop/send-message.ts";
import { wireRound } from "../../memory/wire.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { readJson, readPage } from "./read-json.ts";
import { createEventStream } from "./event-stream.ts";

const MAX_MESSAGE_BYTES = 256 * 1024;

const newMessage = z.strictObject({
  message: z.string(),
  files: z
    .array(z.strictObject({ name: z.string(), content_base64: z.base64() }))
    .max(100)
    .optional(),
});

export const messageRoutes = new Hono<HttpEnv>()
  .post("/v1/sessions/:id/messages", async (c) => {
    const { message, files } = checkMessage(await readJson(c.req.raw, newMessage));
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const stream = createEventStream();
    const outcome = sendMessage({
      ref,
      message,
      files,
      rejectIfBusy: c.req.header("if-busy")?.toLowerCase() === "reject",
      services: await c.var.deployment.messageServices(ref),
      onEvent: stream.write,
      // A client that leaves doesn't stop its round.
      abort: new AbortController().signal,
    });
    c.executionCtx.waitUntil(outcome.catch(() => {}));

    if (!wantsEvents(c.req.raw)) {
      const { round } = expectRound(await outcome, ref.id);
      return c.json(wireRound(ref.id, round));
    }
    // Once there is something to tell the answer is a stream; a refusal before that is an ordinary error.
    await Promise.race([stream.hasBegun, outcome.then((ended) => expectRound(ended, ref.id))]);
    outcome.then(stream.end, stream.end);
    return new Response(stream.body, {
      headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
    });
  })

  .get("/v1/sessions/:id/rounds", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const [session, page] = await Promise.all([
      c.var.deployment.store.getSession(ref),
      c.var.deployment.store.listRounds(ref, readPage(c.req.raw)),
    ]);
    if (!session) throw sessionNotFound(ref.id);
    const data = page.items.map((round) => wireRound(ref.id, round));
    return c.json({ data, next_cursor: page.nextCursor ?? null });
  })

  .get("/v1/sessions/:id/rounds/:rid", async (c) => {
    const ref = { tenant: c.var.tenant, id: c.req.param("id") };
    const round = await c.var.deployment.store.getRound(ref, c.req.param("rid"));
    if (!round) throw new HttpProblem(404, "round_not_found", "There is no such round in this session.");
    return c.json(wireRound(ref.id, round));
  });

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
    files: files.map(({ name, content_base64: content }, index) => {
      try {
        return { name: parseFileName(name), content: Uint8Array.fromBase64(content) };
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

function wantsEvents(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/event-stream");
}

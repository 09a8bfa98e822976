import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer } from "./answer.ts";
import { completion, completionChunks } from "./completion.ts";
import { chatRequestSchema, MODEL_NAME } from "./wire.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface DemoModel {
  /** `http://127.0.0.1:<port>`; the OpenAI base URL is this plus `/v1`. */
  url: string;
  close(): Promise<void>;
}

/** Starts the rule-driven model that answers when no real one is configured. It only listens on loopback. */
export async function startDemoModel({ port = 0 }: { port?: number } = {}): Promise<DemoModel> {
  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      console.error("demo model:", error);
      if (response.headersSent) response.destroy();
      else sendError(response, 500, "server_error", "The demo model failed on this request.");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "/").split("?")[0];
  const call = `${request.method} ${path}`;
  switch (call) {
    case "GET /v1/models":
      return sendJson(response, 200, { object: "list", data: [modelCard()] });
    case `GET /v1/models/${MODEL_NAME}`:
      return sendJson(response, 200, modelCard());
    case "POST /v1/chat/completions":
      return complete(request, response);
    case "POST /v1/embeddings":
      return sendError(
        response,
        501,
        "not_implemented",
        "The demo model makes no embeddings. Set OPENAI_API_KEY and OPENAI_EMBEDDING_MODEL to use a real model.",
      );
    default:
      return sendError(response, 404, "unknown_url", `The demo model has no ${call}.`);
  }
}

async function complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return sendError(response, 413, "too_large", "The request is over 16 MB.");
  const parsed = chatRequestSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.join(".") || "body";
    return sendError(response, 400, "invalid_request", `${where}: ${issue?.message ?? "not a chat request"}`);
  }
  const chat = parsed.data;
  const text = answer(chat);
  if (!chat.stream) return sendJson(response, 200, completion(chat, text));

  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const chunk of completionChunks(chat, text)) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    // Each piece leaves as a write of its own, so that a client sees what a slower model would send.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end("data: [DONE]\n\n");
}

/** The body as text; undefined when it is larger than any prompt of ours. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema then refuses it with the same 400 as any other wrong body.
  }
}

function modelCard() {
  return { id: MODEL_NAME, object: "model", created: 0, owned_by: "taskweaver-edge" };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  sendJson(response, status, { error: { message, type, param: null, code } });
}

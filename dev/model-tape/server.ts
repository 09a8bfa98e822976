import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { chatRequest, embeddingKey, promptOf, type PromptMessage } from "./prompt-key.ts";
import type { TapeSettings } from "./settings.ts";
import { openTape, type TapedReply } from "./tape.ts";
import { chunksOf, embeddingAnswer, embeddingRequest, replyOf } from "./wire.ts";

export interface ModelTape {
  url: string;
  close(): Promise<void>;
}

/**
 * Stands between the Worker and its models: what is on the tape is played, what isn't is asked for and recorded, each as
 * the mode allows. The first part of a path is the address of the service, so that several can be behind it.
 */
export async function startModelTape(settings: TapeSettings, secrets: string[]): Promise<ModelTape> {
  const { mode, path, fixedReply, fixedEmbedding } = settings;
  const tape = openTape(path);
  const mayPlay = mode !== "record_only";
  const mayAsk = mode !== "playback_only";

  async function complete(call: Call): Promise<void> {
    const prompt = promptOf(chatRequest.parse(JSON.parse(call.body)), secrets);
    const found = mode === "fixed" ? fixed(fixedReply) : mayPlay ? tape.findReply(prompt) : undefined;
    if (found) return play(call.response, found, settings.pauseMs);
    if (!mayAsk) return refuse(call.response, notTaped(prompt));
    const text = await passOn(call);
    const reply = text === undefined ? undefined : replyOf(text);
    if (reply) tape.keepReply(prompt, reply);
  }

  async function embed(call: Call): Promise<void> {
    const { model, input } = embeddingRequest.parse(JSON.parse(call.body));
    const keys = input.map((text) => embeddingKey(model, text));
    const found = keys.map((key) =>
      mode === "fixed" ? fixedEmbedding : mayPlay ? tape.findEmbedding(key) : undefined,
    );
    if (found.every((embedding) => embedding !== undefined)) {
      const data = found.map((embedding, index) => ({ object: "embedding", index, embedding }));
      return sendJson(call.response, 200, { object: "list", model, data, usage: { prompt_tokens: 0 } });
    }
    if (!mayAsk)
      return refuse(call.response, `The tape ${path} has no embedding of this text by "${model}".`);
    const text = await passOn(call);
    if (text === undefined) return;
    const { data } = embeddingAnswer.parse(JSON.parse(text));
    tape.keepEmbeddings(Object.fromEntries(data.map(({ index, embedding }) => [keys[index]!, embedding])));
  }

  function notTaped(prompt: PromptMessage[]): string {
    const place = tape.whereItDiffers(prompt);
    const { role, content = "" } = prompt[place - 1] ?? prompt.at(-1) ?? { role: "user" };
    return `The tape ${path} has no reply to this prompt: it differs in message ${place} of ${prompt.length} (${role}: "${content.slice(-120)}"). Record it with llm.mock.mode "playback_or_record".`;
  }

  const server = createServer(async (request, response) => {
    try {
      const call = await readCall(request, response);
      if (!call) return refuse(response, `The tape knows no ${request.method} ${request.url}.`);
      await (call.upstream.pathname.endsWith("/embeddings") ? embed(call) : complete(call));
    } catch (error) {
      console.error(`model tape: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else sendJson(response, 502, { error: { message: `The model's tape failed: ${String(error)}` } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Call {
  /** Where it would go without a tape. */
  upstream: URL;
  headers: Record<string, string>;
  body: string;
  response: ServerResponse;
}

/** Undefined for what isn't a question to a model. */
async function readCall(request: IncomingMessage, response: ServerResponse): Promise<Call | undefined> {
  const [, base, rest] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? "") ?? [];
  if (base === undefined || rest === undefined || request.method !== "POST") return undefined;
  const upstream = new URL(decodeURIComponent(base) + rest);
  if (!/\/(chat\/completions|embeddings)$/.test(upstream.pathname)) return undefined;
  const headers = Object.fromEntries(
    ["authorization", "api-key", "content-type"].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  return { upstream, headers, body: (await buffer(request)).toString("utf8"), response };
}

/** The service's own answer, as it comes. Gives it whole; undefined when it is no good answer. */
async function passOn({ upstream, headers, body, response }: Call): Promise<string | undefined> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  const answer = await fetch(upstream, { method: "POST", headers, body, signal: left.signal });
  const kept = ["content-type", "retry-after"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  response.writeHead(answer.status, Object.fromEntries(kept) as Record<string, string>);
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    response.write(piece);
  }
  response.end();
  return answer.ok ? text : undefined;
}

async function play(response: ServerResponse, reply: TapedReply, pauseMs: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunksOf(reply)) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  response.end("data: [DONE]\n\n");
}

/** As a text, or in TaskWeaver's way as a message in JSON. */
function fixed(text: string): TapedReply {
  const reply = { finish_reason: "stop", prompt_tokens: 0, completion_tokens: 0 };
  try {
    const message: unknown = JSON.parse(text);
    const content: unknown = Reflect.get(Object(message), "content");
    if (typeof content === "string") return { content, ...reply };
  } catch {
    // A text it is.
  }
  return { content: text, ...reply };
}

const refuse = (response: ServerResponse, message: string): void =>
  sendJson(response, 400, {
    error: { message, type: "invalid_request_error", param: null, code: "not_taped" },
  });

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** One reply of the script: the text to stream, or the way in which to fail. */
export type ScriptedReply =
  | { text: string; finishReason?: "stop" | "length" }
  | { status: number }
  /** Sends the text and then drops the connection. */
  | { text: string; breakOff: true };

interface ChatRequest {
  model: string;
  messages: { role: string; content: string | { text?: string }[] }[];
  response_format?: unknown;
}

/**
 * A model service that answers by script, over OpenAI's wire. A test leaves the replies under a name
 * (`PUT /scripts/{name}`) and mentions `[script name]` in its message; the requests that were answered by the script can
 * be read back (`GET /scripts/{name}/requests`). A script that has run out answers 500. It embeds texts as well.
 */
export async function startScriptedModel(): Promise<{ url: string; close(): Promise<void> }> {
  const scripts = new Map<string, { replies: ScriptedReply[]; requests: ChatRequest[] }>();

  const server = createServer(async (request, response) => {
    const [, kind, name = "", part] = request.url!.split("/");
    if (kind === "scripts" && request.method === "PUT") {
      scripts.set(name, { replies: (await json(request)) as ScriptedReply[], requests: [] });
      return void response.end();
    }
    if (kind === "scripts" && part === "requests") {
      return void response.end(JSON.stringify(scripts.get(name)?.requests ?? []));
    }
    if (request.url === "/v1/embeddings") {
      return answerEmbeddings(response, (await json(request)) as { model: string; input: string[] });
    }
    const chat = (await json(request)) as ChatRequest;
    const mentions = chat.messages.map(({ content }) => /\[script ([\w-]+)\]/.exec(textOf(content))?.[1]);
    const script = scripts.get(mentions.findLast((mention) => mention !== undefined) ?? "");
    script?.requests.push(chat);
    const reply = script?.replies.shift() ?? { status: 500 };
    if ("status" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { message: `scripted ${reply.status}` } }));
    }
    stream(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const textOf = (content: ChatRequest["messages"][number]["content"]): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");

const synonyms: Record<string, string> = { automobile: "car", physician: "doctor", film: "movie" };

/** An embedding model that knows a few synonyms, each model in numbers of its own. The one called `down` is. */
function answerEmbeddings(
  response: ServerResponse,
  { model, input }: { model: string; input: string[] },
): void {
  response.writeHead(model === "down" ? 400 : 200, { "content-type": "application/json" });
  if (model === "down") return void response.end(JSON.stringify({ error: { message: "down" } }));
  const data = input.map((text, index) => {
    const embedding = Array.from({ length: 48 }, () => 0);
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
      const meant = `${model}/${synonyms[word] ?? word}`;
      const hash = [...meant].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_537, 7);
      embedding[hash % embedding.length]! += 1;
    }
    return { object: "embedding", index, embedding };
  });
  response.end(JSON.stringify({ object: "list", model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }));
}

function stream(response: ServerResponse, reply: Exclude<ScriptedReply, { status: number }>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: unknown[], usage?: unknown) =>
    response.write(
      `data: ${JSON.stringify({ id: "chat-1", object: "chat.completion.chunk", created: 1, model: "scripted", choices, usage })}\n\n`,
    );
  for (const piece of reply.text.match(/[\s\S]{1,7}/g) ?? []) {
    send([{ index: 0, delta: { content: piece }, finish_reason: null }]);
  }
  if ("breakOff" in reply) {
    // What was sent is to arrive first.
    setTimeout(() => response.destroy(), 100);
    return;
  }
  send([{ index: 0, delta: {}, finish_reason: reply.finishReason ?? "stop" }]);
  send([], { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 });
  response.end("data: [DONE]\n\n");
}

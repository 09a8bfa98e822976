import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/**
 * A model that takes no time: what it says is decided by who asks and who spoke last. The User names a worker
 * (`[to Echo]`), the Planner hands the request on, the CodeInterpreter's code is one short cell, and the report of the
 * worker is the answer. For `[stamp]` it is the time at which it is sent. Its prompt tokens are the prompt's characters by four, so that a receipt shows its size.
 */
interface Chat {
  messages: { role: string; content: string }[];
  response_format?: { json_schema?: { name: string } };
}

const plan = { plan_reasoning: "-", init_plan: "1. do it", plan: "1. do it", current_plan_step: "1. do it" };

function answer({ messages, response_format: format }: Chat): object {
  if (format?.json_schema?.name === "code_response") {
    return { thought: "Add.", reply_type: "python", reply_content: "total = sum(range(10))\ntotal" };
  }
  const last = messages.at(-1)!.content;
  const [, worker] = last.includes("From: User") ? (/\[to (\w+)\]/.exec(last) ?? []) : [];
  if (last.includes("[stamp]")) {
    return {
      ...plan,
      stop: "Completed",
      send_to: "User",
      message: `stamp ${performance.timeOrigin + performance.now()} `,
    };
  }
  return worker === undefined
    ? { ...plan, stop: "Completed", send_to: "User", message: "It is done." }
    : { ...plan, stop: "InProcess", send_to: worker, message: "Add up the numbers from 0 to 9." };
}

const server = createServer(async (request, response) => {
  const chat = (await json(request)) as Chat;
  const characters = chat.messages.reduce((sum, { content }) => sum + content.length, 0);
  const text = JSON.stringify({ response: answer(chat) });
  const chunk = (part: object) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", ...part })}\n\n`;
  const usage = { prompt_tokens: Math.ceil(characters / 4), completion_tokens: Math.ceil(text.length / 4) };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }));
  // So that what waits for the reply's end is told apart from what passes on its beginning.
  if (text.includes("stamp ")) await new Promise((resolve) => setTimeout(resolve, 100));
  response.end(
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      chunk({ choices: [], usage }) +
      "data: [DONE]\n\n",
  );
});
server.listen(0, "127.0.0.1", () => {
  console.log(`model ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
// The launcher holds the other end; however it ends, the pipe breaks.
process.stdin.resume().on("end", () => process.exit(0));

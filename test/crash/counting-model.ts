import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type ModelMoment = "asked" | "half told" | "told";

interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * A model that answers by what it is shown, not by how often it was asked, as a turn that is taken again needs it: a
 * round is three replies, the instruction, the code, the answer. Each round's code writes the round's number into a
 * file, so that how often it ran can be counted. Tells when it was asked, in the middle of its reply, and at its end.
 */
export async function startCountingModel(
  onMoment: (who: string, moment: ModelMoment) => Promise<void> | void,
) {
  async function answer(messages: Message[], response: ServerResponse): Promise<void> {
    const real = messages.slice(
      messages.findLastIndex(({ content }) => content.startsWith("[A new conversation")),
    );
    const isCoder = !messages[0]!.content.includes('"send_to"');
    const numbers = real.flatMap(({ content }) =>
      [...content.matchAll(/\[round (\d+)\]/g)].map(([, number]) => number),
    );
    const number = numbers.at(-1)!;
    const sinceRequest = real.slice(real.findLastIndex(({ content }) => content.includes("From: User")));
    const hasReport = sinceRequest.some(
      ({ role, content }) => role === "user" && content.includes("From: CodeInterpreter"),
    );
    const who = isCoder ? "coder" : hasReport ? "answer" : "instruction";
    await onMoment(who, "asked");
    const text = JSON.stringify({ response: reply(who, number) });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (content: string, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`,
      );
    send(text.slice(0, text.length / 2));
    await onMoment(who, "half told");
    send(text.slice(text.length / 2), "stop");
    response.end("data: [DONE]\n\n");
    await onMoment(who, "told");
  }

  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: Message[] };
    await answer(messages, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function reply(who: string, number: string): Record<string, string> {
  if (who === "coder") {
    const code = `import time\nwith open("runs.txt", "a") as runs:\n    runs.write("${number} ")\ntime.sleep(0.2)\ntry:\n    count += 1\nexcept NameError:\n    count = 1`;
    return { thought: "Count the run.", reply_type: "python", reply_content: code };
  }
  const [sendTo, message] =
    who === "answer" ? ["User", `round ${number} is done`] : ["CodeInterpreter", "Count the run."];
  const plan = {
    plan_reasoning: "-",
    init_plan: "1. count",
    plan: "1. count",
    current_plan_step: "1. count",
  };
  return {
    ...plan,
    stop: who === "answer" ? "Completed" : "InProcess",
    send_to: sendTo!,
    message: `${message} [round ${number}]`,
  };
}

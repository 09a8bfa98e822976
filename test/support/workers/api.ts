import { env, exports } from "cloudflare:workers";
import type { ScriptedReply } from "../scripted-model.ts";

/** Calls the Worker's API as Alice, unless another key is given. */
export function call(
  path: string,
  init: RequestInit & { key?: string | null; json?: unknown } = {},
): Promise<Response> {
  const { key = "key-of-alice", json, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  if (json !== undefined) headers.set("content-type", "application/json");
  const worker = (exports as unknown as { default: Fetcher }).default;
  return worker.fetch(`https://taskweaver.test${path}`, {
    ...rest,
    headers,
    ...(json === undefined ? {} : { method: rest.method ?? "POST", body: JSON.stringify(json) }),
  });
}

export async function newSession(body: Record<string, unknown> = {}): Promise<string> {
  const response = await call("/v1/sessions", { json: body });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}

const modelUrl = () => (env as unknown as { OPENAI_BASE_URL: string }).OPENAI_BASE_URL.replace("/v1", "");
let scripts = 0;

/** Leaves a script with the model; its mention belongs into the message that it is for. */
export async function scriptModel(replies: (ScriptedReply | object)[]) {
  const name = `script-${Date.now()}-${++scripts}`;
  const isReply = (reply: object) => "text" in reply || "status" in reply;
  const wire = replies.map((reply) =>
    isReply(reply) ? reply : { text: JSON.stringify({ response: reply }) },
  );
  await fetch(`${modelUrl()}/scripts/${name}`, { method: "PUT", body: JSON.stringify(wire) });
  return {
    mention: `[script ${name}]`,
    async requests() {
      const response = await fetch(`${modelUrl()}/scripts/${name}/requests`);
      return (await response.json()) as { messages: { role: string; content: string }[] }[];
    },
  };
}

/** A Planner's reply with the parts that a test doesn't care about filled in. */
export function planned(
  sendTo: string,
  message: string,
  stop = sendTo === "User" ? "Completed" : "InProcess",
) {
  return {
    plan_reasoning: "It follows from the request.",
    init_plan: "1. do it",
    plan: "1. do it",
    current_plan_step: "1. do it",
    stop,
    send_to: sendTo,
    message,
  };
}

export const python = (code: string) => ({
  thought: "This does it.",
  reply_type: "python",
  reply_content: code,
});

export interface WireRound {
  id: string;
  state: string;
  stop?: string;
  error?: { code: string; message: string };
  post_list: {
    id: string;
    send_from: string;
    send_to: string;
    message: string;
    attachment_list: { type: string; content: string | string[]; extra: unknown }[];
    usage?: {
      model_calls: number;
      prompt_tokens: number;
      completion_tokens: number;
      model_ms: number;
      sandbox_ms: number;
    };
  }[];
  usage: { model_calls: number; d1: { round_trips: number } } & Record<string, unknown>;
}

export async function send(
  session: string,
  message: string,
  files?: { name: string; content_base64: string }[],
) {
  const response = await call(`/v1/sessions/${session}/messages`, {
    json: { message, ...(files ? { files } : {}) },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as WireRound;
}

/** Asks for a round until it has ended. */
export async function roundEnd(session: string, round: string): Promise<WireRound> {
  for (let tries = 0; tries < 300; tries++) {
    const response = await call(`/v1/sessions/${session}/rounds/${round}`);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const found = (await response.json()) as WireRound;
    if (found.state !== "created") return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Round ${round} has not ended.`);
}

export async function sendAsync(session: string, message: string): Promise<string> {
  const headers = { prefer: "respond-async" };
  const response = await call(`/v1/sessions/${session}/messages`, { json: { message }, headers });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** Who spoke to whom, in order. */
export const speakers = ({ post_list }: WireRound): string[] =>
  post_list.map(({ send_from, send_to }) => `${send_from} > ${send_to}`);

/** What a post carries of a type. */
export const attached = (post: WireRound["post_list"][number], type: string) =>
  post.attachment_list.filter((attachment) => attachment.type === type).map(({ content }) => content);

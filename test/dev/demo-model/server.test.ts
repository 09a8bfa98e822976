import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemoModel, type DemoModel } from "../../../dev/demo-model/server.ts";

let model: DemoModel;
let client: OpenAI;

beforeAll(async () => {
  model = await startDemoModel({ port: 0 });
  client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "none", maxRetries: 0 });
});
afterAll(() => model.close());

const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "system", content: 'Answer as JSON with "send_to" and "message".' },
  { role: "user", content: "[A new conversation starts here.]\nFrom: User\nMessage: what is 6*7 “äöü” 😀?" },
];

async function ask(system: string): Promise<string> {
  const reply = await client.chat.completions.create({
    model: "x",
    response_format: { type: "json_object" },
    messages: [
      { role: "system", content: system },
      { role: "user", content: "[A new conversation starts here.]\nFrom: Planner\nMessage: Work out 6 * 7." },
    ],
  });
  return reply.choices[0]?.message.content ?? "";
}

describe("the demo model's HTTP API", () => {
  it("streams small pieces and the usage that was asked for", async () => {
    const whole = await client.chat.completions.create({ model: "x", messages });
    const stream = await client.chat.completions.create({
      model: "x",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let finish = "";
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? "");
      finish ||= chunk.choices[0]?.finish_reason ?? "";
      usage = chunk.usage ?? usage;
    }
    expect(pieces.join("")).toBe(whole.choices[0]?.message.content);
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(40);
    expect(finish).toBe("stop");
    expect(usage).toEqual(whole.usage);
  });

  it("ends a stream with [DONE] and tells no usage unasked", async () => {
    const response = await fetch(`${model.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "x", messages, stream: true }),
    });
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(text).not.toContain('"usage"');
  });

  it("knows by the prompt who asks when there is no schema", async () => {
    expect(JSON.parse(await ask('… "send_to" …'))).toHaveProperty("response.send_to");
    expect(JSON.parse(await ask('… "reply_type" …'))).toHaveProperty("response.reply_type", "python");
    expect(await ask("Summarize this.")).toContain("demo model");
  });

  it("says that it can't do anything else", async () => {
    const reply = await client.chat.completions.create({
      model: "x",
      messages: [{ role: "user", content: "Summarize the conversation." }],
      response_format: { type: "json_schema", json_schema: { name: "summary", schema: {} } },
    });
    expect(reply.choices[0]?.message.content).toContain("can't do that");
  });

  it("lists its model", async () => {
    const models = await client.models.list();
    expect(models.data.map((each) => each.id)).toEqual(["taskweaver-demo"]);
  });

  it.each([
    ["embeddings", 501, () => client.embeddings.create({ model: "x", input: "text" })],
    ["a wrong body", 400, () => client.post("/chat/completions", { body: { messages: "hello" } })],
    ["an unknown path", 404, () => client.get("/files")],
  ])("refuses %s in OpenAI's way", async (_, status, call) => {
    const error = await Promise.resolve(call()).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status, error: { message: expect.any(String), type: expect.any(String) } });
  });

  it("tells when no CodeInterpreter is there to help", async () => {
    const schema = {
      type: "object",
      properties: { response: { properties: { send_to: { enum: ["Echo", "User"] } } } },
    };
    const reply = await client.chat.completions.create({
      model: "x",
      messages,
      response_format: { type: "json_schema", json_schema: { name: "planner_response", schema } },
    });
    const { response } = JSON.parse(reply.choices[0]?.message.content ?? "") as {
      response: Record<string, string>;
    };
    expect(response).toMatchObject({ send_to: "User" });
  });
});

describe("the demo model's process", () => {
  it("prints where it listens and ends with its lease", async () => {
    const script = join(import.meta.dirname, "../../../dev/demo-model/main.ts");
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, DEMO_MODEL_PORT: "0", DEMO_MODEL_LEASH: "stdin" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const url = /^demo model ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(String(line))?.[1];
    expect((await fetch(`${url}/v1/models`)).status).toBe(200);
    child.stdin.end();
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(0);
  });
});

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { deploymentOf } from "../../../src/app.ts";
import { createHttp } from "../../../src/channels/http/http.ts";
import { redact } from "../../../src/llm/redact.ts";
import { call, newSession, planned, python, scriptModel, send } from "../../support/workers/api.ts";

const timings = (response: Response) =>
  Object.fromEntries(
    (response.headers.get("server-timing") ?? "")
      .split(", ")
      .map((part) => part.split(";dur="))
      .map(([name, ms]) => [name, Number(ms)]),
  );

/** The API of another deployment: the same code, set otherwise. */
function apiWith(settings: Record<string, string>) {
  const other = { ...env, ...settings } as unknown as Env;
  const http = createHttp(() => deploymentOf(other));
  return async (path: string, json?: unknown, headers: Record<string, string> = {}) => {
    const context = createExecutionContext();
    const response = await http.request(
      path,
      {
        headers: { authorization: "Bearer key-of-alice", "content-type": "application/json", ...headers },
        ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
      },
      other,
      context,
    );
    const answer: unknown = await response.json();
    await waitOnExecutionContext(context);
    return { response, answer };
  };
}

describe("an answer", () => {
  it("says where its time went, and which request it is of", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Wait."),
      python("import time\ntime.sleep(0.2)"),
      planned("User", "Done."),
    ]);
    const response = await call(`/v1/sessions/${session}/messages`, {
      json: { message: mention },
      headers: { "x-request-id": "mine-1" },
    });
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    const spent = timings(response);
    expect(Object.keys(spent)).toEqual(["total", "db", "do", "model", "sandbox", "queue"]);
    expect(spent.sandbox).toBeGreaterThanOrEqual(200);
    expect(spent.total).toBeGreaterThanOrEqual(spent.sandbox!);
    const refused = await call("/v1/sessions/nowhere", { headers: { "x-request-id": "not an id\t" } });
    expect(refused.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    expect(Object.keys(timings(refused))).toEqual(["total", "db", "do"]);
  });
});

describe("the log", () => {
  it("has a line for each request and round, with ids and without content", async () => {
    const lines: Record<string, unknown>[] = [];
    const log = vi
      .spyOn(console, "log")
      .mockImplementation((line: string) => void lines.push(JSON.parse(line)));
    const api = apiWith({ LOG_REQUESTS: "true" });
    const { answer } = await api("/v1/sessions", { roles: ["echo"], title: "private title" });
    const { id } = answer as { id: string };
    const sent = await api(`/v1/sessions/${id}/messages`, { message: "private words" });
    const round = (sent.answer as { id: string }).id;
    await api("/v1/sessions/nowhere?cursor=private");
    log.mockRestore();
    const keyId = expect.stringMatching(/^env-/);
    expect(lines).toMatchObject([
      { event: "request", method: "POST", route: "/v1/sessions", status: 201, tenant: "alice", key: keyId },
      { event: "round", session_id: id, round_id: round, state: "finished" },
      {
        event: "request",
        route: "/v1/sessions/:id/messages",
        session_id: id,
        round_id: round,
        ms: expect.any(Number),
      },
      {
        event: "request",
        status: 404,
        code: "session_not_found",
        session_id: "nowhere",
        request_id: expect.any(String),
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/private|key-of-alice/);
  });
});

describe("the prompt log", () => {
  it("is kept only where it is wanted, without secrets, and goes with its session", async () => {
    const api = apiWith({ PROMPT_LOG_ENABLED: "true" });
    const { mention } = await scriptModel([planned("User", "Your password: hunter22.")]);
    const { answer } = await api("/v1/sessions", {});
    const { id } = answer as { id: string };
    await api(`/v1/sessions/${id}/messages`, {
      message: `use sk-abcdefghijklmnop1234 and key-of-the-model ${mention}`,
    });
    const prefix = `alice/${id}/prompts/`;
    await expect.poll(async () => (await env.FILES.list({ prefix })).objects.length).toBe(1);
    const [object] = (await env.FILES.list({ prefix })).objects;
    const text = await (await env.FILES.get(object!.key))!.text();
    expect(JSON.parse(text)).toMatchObject({
      role: "planner",
      finish_reason: "stop",
      prompt_tokens: 100,
      error: null,
    });
    expect(text).toContain("use [redacted] and [redacted]");
    expect(text).not.toMatch(/sk-abc|key-of-the-model|hunter22/);
    await call(`/v1/sessions/${id}`, { method: "DELETE" });
    expect((await env.FILES.list({ prefix })).objects).toEqual([]);

    const session = await newSession();
    const other = await scriptModel([planned("User", "Hello.")]);
    await send(session, other.mention);
    expect((await env.FILES.list({ prefix: `alice/${session}/prompts/` })).objects).toEqual([]);
  });

  it("names the pictures that a model was shown, and holds none of them", async () => {
    const api = apiWith({ PROMPT_LOG_ENABLED: "true" });
    const { mention } = await scriptModel([{ answer: "A dot." }]);
    const { answer } = await api("/v1/sessions", { roles: ["image_reader"] });
    const { id } = answer as { id: string };
    const files = [{ name: "dot.gif", content_base64: btoa(`GIF89a${"x".repeat(100_000)}`) }];
    await api(`/v1/sessions/${id}/messages`, { message: `what is in dot.gif? ${mention}`, files });
    const prefix = `alice/${id}/prompts/`;
    await expect.poll(async () => (await env.FILES.list({ prefix })).objects.length).toBe(1);
    const [object] = (await env.FILES.list({ prefix })).objects;
    const text = await (await env.FILES.get(object!.key))!.text();
    expect(text).toContain("[image dot.gif, 100006 bytes]");
    expect(text.length).toBeLessThan(5000);
  });

  it.each([
    ["Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"],
    ['{"api_key": "s3cr3t!"}', '{"api_key": "[redacted]"}'],
    ["ghp_abcdefghij1234567890", "[redacted]"],
    ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "[redacted]"],
    ["the bearer of this letter knows no secrets: none", "the bearer of this letter knows no secrets: none"],
    ["6 * 7 tokens", "6 * 7 tokens"],
  ])("blacks out of %j what is a secret", (text, cleaned) => {
    expect(redact(text)).toBe(cleaned);
  });
});

it("a HEAD of the events is told that there are some, and holds nothing open", async () => {
  const session = await newSession({ roles: ["echo"] });
  const response = await call(`/v1/sessions/${session}/events`, { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(await response.text()).toBe("");
});

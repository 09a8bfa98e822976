import { env } from "cloudflare:workers";
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { deploymentOf } from "../../../src/app.ts";
import { createHttp } from "../../../src/channels/http/http.ts";
import type { Session } from "../../../src/memory/session.ts";
import { createIdempotentRequests } from "../../../src/idempotency/d1-idempotency.ts";
import { call, newSession, planned, python, scriptModel, type WireRound } from "../../support/workers/api.ts";
import { readEvents } from "../../support/workers/read-events.ts";

let count = 0;
const newKey = () => `key-${Date.now()}-${++count}`;
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
const sendKeyed = (session: string, message: string, key: string, headers: Record<string, string> = {}) =>
  call(`/v1/sessions/${session}/messages`, {
    json: { message },
    headers: { "idempotency-key": key, ...headers },
  });
const roundsOf = async (session: string) =>
  ((await (await call(`/v1/sessions/${session}/rounds`)).json()) as { data: WireRound[] }).data;

describe("a request with an Idempotency-Key", () => {
  it("sent again gets the same answer, and no second round", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([planned("User", "Once.")]);
    const key = newKey();
    const first = await sendKeyed(session, mention, key);
    const second = await sendKeyed(session, mention, key);
    expect(await second.text()).toBe(await first.text());
    expect([first, second].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    expect(await roundsOf(session)).toHaveLength(1);
    const other = await sendKeyed(session, "something else", key);
    expect([other.status, await codeOf(other)]).toEqual([422, "idempotency_key_reused"]);
  });

  it("is refused while the first one is worked on", async () => {
    const session = await newSession({ roles: ["echo"] });
    const key = newKey();
    const answers = await Promise.all([1, 2, 3].map(() => sendKeyed(session, "hi", key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await codeOf(refused)).toBe("idempotency_in_progress");
    expect(await roundsOf(session)).toHaveLength(1);
  });

  it("also when it is answered by events, or by a place to look", async () => {
    const session = await newSession({ roles: ["echo"] });
    const key = newKey();
    const accept = { accept: "text/event-stream" };
    const events = await readEvents(await sendKeyed(session, "hi", key, accept));
    await expect
      .poll(async () => (await sendKeyed(session, "hi", key, accept)).status, { timeout: 5000 })
      .toBe(200);
    expect(await readEvents(await sendKeyed(session, "hi", key, accept))).toEqual(events);

    const prefer = { prefer: "respond-async" };
    const asyncKey = newKey();
    const first = await sendKeyed(session, "later", asyncKey, prefer);
    const second = await sendKeyed(session, "later", asyncKey, prefer);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(await second.text()).toBe(await first.text());
  });

  it("makes a session once, each tenant for itself", async () => {
    const headers = { "idempotency-key": newKey() };
    const make = async (key = "key-of-alice") =>
      (await (await call("/v1/sessions", { key, json: { title: "once" }, headers })).json()) as {
        id: string;
      };
    const { id } = await make();
    expect((await make()).id).toBe(id);
    expect((await make("key-of-bob")).id).not.toBe(id);
  });

  it("that was refused may be mended", async () => {
    const headers = { "idempotency-key": newKey() };
    expect((await call("/v1/sessions", { json: { roles: [] }, headers })).status).toBe(422);
    expect((await call("/v1/sessions", { json: { roles: ["echo"] }, headers })).status).toBe(201);
    const bad = await call("/v1/sessions", { json: {}, headers: { "idempotency-key": "a b" } });
    expect([bad.status, await codeOf(bad)]).toEqual([400, "invalid_idempotency_key"]);
  });

  it("joins the round that a lost handler has begun, and runs no second one", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Wait."),
      python("import time\ntime.sleep(1)"),
      planned("User", "Once."),
    ]);
    const key = newKey();
    const first = sendKeyed(session, mention, key);
    await expect.poll(async () => (await roundsOf(session)).length, { timeout: 5000 }).toBe(1);
    await env.DB.prepare("UPDATE idempotency_keys SET expires_at = 1 WHERE key = ?").bind(key).run();
    const second = await sendKeyed(session, mention, key);
    expect(second.status).toBe(200);
    expect(await second.json()).toEqual(await (await first).json());
    expect(await roundsOf(session)).toHaveLength(1);
  });

  it("that met a server's error may be tried again, and goes on where it was", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => {});
    const deployment = deploymentOf(env);
    const requests = deployment.idempotentRequests;
    const headers = { "idempotency-key": newKey(), authorization: "Bearer key-of-alice" };
    const isBroken = { value: true };
    const store = {
      ...deployment.store,
      createSession: (session: Session) =>
        isBroken.value ? Promise.reject(new Error("gone")) : deployment.store.createSession(session),
    };
    const counting = () => ({ store, messageServices: deployment.messageServices });
    const http = createHttp(() => ({ ...deployment, idempotentRequests: requests, counting }));
    const make = () =>
      http.request("/v1/sessions", { method: "POST", headers }, env, createExecutionContext());
    expect((await make()).status).toBe(500);
    isBroken.value = false;
    expect((await make()).status).toBe(201);
    expect((await make()).headers.get("idempotency-replayed")).toBe("true");
    complain.mockRestore();
  });

  it("keeps an answer that is too large for a row, and forgets it after a day", async () => {
    const requests = createIdempotentRequests(env.DB, env.FILES);
    const request = { tenant: "alice", key: newKey(), fingerprint: "f" };
    const body = "x".repeat(400_000);
    const claimed = await requests.claim(request);
    if (claimed.kind !== "claimed") throw new Error(claimed.kind);
    await requests.keep(request, claimed.claim, { status: 200, headers: {}, body });
    expect(await requests.claim(request)).toMatchObject({ kind: "answered", answer: { status: 200, body } });
    expect((await env.FILES.list({ prefix: "idempotency//" })).objects).toHaveLength(1);
    expect(await requests.forgetOld(Date.now() + 25 * 3600_000)).toBeGreaterThan(0);
    expect((await env.FILES.list({ prefix: "idempotency//" })).objects).toHaveLength(0);
    expect(await requests.claim(request)).toMatchObject({ kind: "claimed" });
  });

  it("whose handler is gone is taken up under the same claim, which is the round's id", async () => {
    const requests = createIdempotentRequests(env.DB, env.FILES);
    const session = await newSession({ roles: ["echo"] });
    const request = { tenant: "alice", key: newKey(), fingerprint: "f" };
    const first = await requests.claim(request);
    expect(await requests.claim(request)).toEqual({ kind: "in_progress" });
    await env.DB.prepare("UPDATE idempotency_keys SET expires_at = 1 WHERE key = ?").bind(request.key).run();
    expect(await requests.claim({ ...request, fingerprint: "g" })).toEqual({ kind: "other_request" });
    expect(await requests.claim(request)).toEqual({ ...first, isFirst: false });
    if (first.kind !== "claimed") throw new Error(first.kind);
    await requests.handOver(request, first.claim);
    expect(await requests.claim(request)).toEqual({ ...first, isFirst: false });
    expect(first).toMatchObject({ claim: expect.stringMatching(/^round-/) });
    const key = newKey();
    const round = (await (await sendKeyed(session, "hi", key)).json()) as WireRound;
    const { results } = await env.DB.prepare("SELECT claim FROM idempotency_keys WHERE key = ?")
      .bind(key)
      .all();
    expect(results).toEqual([{ claim: round.id }]);
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createApiKey, hashApiKey } from "../../../src/keys/api-key.ts";
import { createD1ApiKeys } from "../../../src/keys/d1-api-keys.ts";
import { call, planned, scriptModel } from "../../support/workers/api.ts";
import { apiWith } from "../../support/workers/api-with.ts";

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

async function addKey(
  row: { scopes?: string[]; tenant?: string; expiresAt?: number; revokedAt?: number } = {},
) {
  const { id, key } = createApiKey();
  await env.DB.prepare(
    "INSERT INTO api_keys (id, hash, name, tenant, scopes, created_at, expires_at, revoked_at) VALUES (?, ?, 'test', ?, ?, 1, ?, ?)",
  )
    .bind(
      id,
      await hashApiKey(key),
      row.tenant ?? "carol",
      JSON.stringify(row.scopes ?? ["chat"]),
      row.expiresAt ?? null,
      row.revokedAt ?? null,
    )
    .run();
  return { id, key };
}

describe("a key of the database", () => {
  it("speaks for its tenant, within its scopes", async () => {
    const chat = await addKey();
    const read = await addKey({ scopes: ["read"] });
    const admin = await addKey({ scopes: ["admin"] });
    const created = await call("/v1/sessions", { key: chat.key, json: { roles: ["echo"] } });
    const { id } = (await created.json()) as { id: string };
    expect((await call(`/v1/sessions/${id}`, { key: read.key })).status).toBe(200);
    expect((await call(`/v1/sessions/${id}`)).status).toBe(404);
    const refused = await call(`/v1/sessions/${id}/messages`, { key: read.key, json: { message: "hi" } });
    expect([refused.status, await codeOf(refused)]).toEqual([403, "scope_missing"]);
    expect((await call(`/v1/sessions/${id}`, { key: read.key, method: "DELETE" })).status).toBe(403);
    expect((await call("/v1/experiences/search", { key: read.key, json: { query: "x" } })).status).toBe(200);
    expect((await call("/v1/usage", { key: chat.key })).status).toBe(403);
    expect(
      (await call(`/v1/sessions/${id}/messages`, { key: chat.key, json: { message: "hi" } })).status,
    ).toBe(200);
    const { data } = (await (await call("/v1/usage", { key: admin.key })).json()) as {
      data: { key: string }[];
    };
    expect(data.at(-1)).toMatchObject({ key: chat.id, rounds: 1 });
  });

  it("is refused when it has expired, was revoked, or is only like one", async () => {
    const good = await addKey();
    const cases: [string, string][] = [
      [(await addKey({ expiresAt: Date.now() - 1 })).key, "key_expired"],
      [(await addKey({ revokedAt: 1 })).key, "key_revoked"],
      [createApiKey().key, "unauthorized"],
      [good.key.replace(/.$/, (last) => (last === "0" ? "1" : "0")), "unauthorized"],
    ];
    for (const [key, code] of cases) {
      const response = await call("/v1/sessions", { key });
      expect([response.status, await codeOf(response)]).toEqual([401, code]);
    }
  });

  it("is kept as a hash; its last use is written down once an hour; a revoked one is out within half a minute", async () => {
    const { id, key } = await addKey();
    let now = Date.now();
    const keys = createD1ApiKeys(env.DB, { now: () => now });
    const row = async () => (await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(id).first())!;
    await keys.find(key);
    const first = now;
    now += 20 * 60_000;
    await keys.find(key);
    expect(await row()).toMatchObject({ last_used_at: first });
    expect(JSON.stringify(await row())).not.toContain(key.slice(17));
    now += 41 * 60_000;
    await keys.find(key);
    expect(await row()).toMatchObject({ last_used_at: now });
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?").bind(id).run();
    expect(await keys.find(key)).toMatchObject({ kind: "caller" });
    now += 31_000;
    expect(await keys.find(key)).toEqual({ kind: "revoked" });
  });

  it("is let in by nobody who can't read the keys", async () => {
    const broken = {
      find: () => Promise.reject(new Error("gone")),
      hasAny: () => Promise.reject(new Error("gone")),
    };
    const complain = vi.spyOn(console, "error").mockImplementation(() => {});
    const api = apiWith({}, { apiKeys: broken }, { apiKeys: [] });
    const { key } = createApiKey();
    for (const headers of [{ authorization: `Bearer ${key}` }, {}] as Record<string, string>[]) {
      const response = await api("/v1/sessions", { headers });
      expect([response.status, await codeOf(response)]).toEqual([503, "keys_unreachable"]);
    }
    complain.mockRestore();
    const none = { find: async () => ({ kind: "unknown" }) as const, hasAny: async () => false };
    const closed = await apiWith({}, { apiKeys: none }, { apiKeys: [] })("/v1/sessions");
    expect([closed.status, await codeOf(closed)]).toEqual([401, "no_api_keys"]);
  });
});

describe("Cloudflare Access", async () => {
  const access = { teamDomain: "https://team.example", audience: "app-1" };
  const pair = (await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  )) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey;
  const encode = (data: Uint8Array | object) =>
    (data instanceof Uint8Array ? data : new TextEncoder().encode(JSON.stringify(data))).toBase64({
      alphabet: "base64url",
      omitPadding: true,
    });
  async function token(change: object = {}, head: object = {}) {
    const claims = {
      aud: ["app-1"],
      iss: access.teamDomain,
      exp: Date.now() / 1000 + 60,
      email: "Ada@example.org",
    };
    const signed = `${encode({ alg: "RS256", kid: "one", ...head })}.${encode({ ...claims, ...change })}`;
    const signature = await crypto.subtle.sign(
      pair.privateKey.algorithm.name,
      pair.privateKey,
      new TextEncoder().encode(signed),
    );
    return `${signed}.${encode(new Uint8Array(signature))}`;
  }
  const api = apiWith({ access });
  const as = async (jwt: string) => api("/v1/sessions", { headers: { "cf-access-jwt-assertion": jwt } });

  it("is believed when its token is right, and not otherwise", async () => {
    const certs = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async (input) =>
        String(input) === "https://team.example/cdn-cgi/access/certs"
          ? Response.json({ keys: [{ ...jwk, kid: "one" }] })
          : new Response(null, { status: 500 }),
      );
    expect((await as(await token())).status).toBe(200);
    expect((await as(await token({ email: undefined, common_name: "service.access" }))).status).toBe(200);
    expect(certs).toHaveBeenCalledOnce();
    const refused = [
      await token({ aud: ["app-2"] }),
      await token({ iss: "https://other.example" }),
      await token({ exp: Date.now() / 1000 - 60 }),
      await token({ nbf: Date.now() / 1000 + 600 }),
      await token({ email: undefined }),
      await token({}, { alg: "none" }),
      await token({}, { kid: "two" }),
      (await token()).replace(
        /\.[^.]+\./,
        `.${encode({ aud: "app-1", iss: access.teamDomain, exp: 9e9, email: "eve@x" })}.`,
      ),
      "nonsense",
      "a.b.c",
    ];
    for (const jwt of refused) expect((await as(jwt)).status).toBe(401);
    const byPage = async (origin: string) =>
      api("/v1/sessions", { headers: { "cf-access-jwt-assertion": await token(), origin } });
    expect((await byPage("http://localhost")).status).toBe(200);
    expect(await codeOf(await byPage("https://evil.example"))).toBe("foreign_page");
    // Without configuration the header is nothing.
    const plain = await call("/v1/sessions", {
      key: null,
      headers: { "cf-access-jwt-assertion": await token() },
    });
    expect(plain.status).toBe(401);
    certs.mockRestore();
  });

  it("is not believed when its keys can't be had", async () => {
    const other = apiWith({ access: { ...access, teamDomain: "gone.example" } });
    const fetching = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response(null, { status: 500 }));
    const jwt = await token({ iss: "https://gone.example" });
    const response = await other("/v1/sessions", { headers: { "cf-access-jwt-assertion": jwt } });
    expect([response.status, await codeOf(response)]).toEqual([503, "access_unreachable"]);
    fetching.mockRestore();
  });
});

describe("pages of other origins", () => {
  it("may call only where the deployment says so", async () => {
    const preflight = {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    };
    const allowed = await apiWith({ corsOrigins: ["https://app.example"] })("/v1/sessions", preflight);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const other = await apiWith({ corsOrigins: ["https://other.example"] })("/v1/sessions", preflight);
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    const none = await apiWith({})("/v1/sessions", preflight);
    expect(none.headers.get("access-control-allow-origin")).toBeNull();
    const refusal = await apiWith({ corsOrigins: ["*"] })("/v1/sessions", {
      headers: { origin: "https://a.example" },
    });
    expect([refusal.status, refusal.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  });
});

it("a WebSocket opens also where headers are put on every answer", async () => {
  const api = apiWith({ corsOrigins: ["*"], quotas: { requestsPerMinute: 100 } });
  const headers = { authorization: "Bearer key-of-alice", origin: "https://app.example" };
  const made = await api("/v1/sessions", { headers, json: { roles: ["echo"] } });
  const { id } = (await made.json()) as { id: string };
  const response = await api(`/v1/sessions/${id}/events`, { headers: { ...headers, upgrade: "websocket" } });
  expect(response.status).toBe(101);
  const socket = response.webSocket!;
  socket.accept();
  const told = new Promise<string>((resolve) =>
    socket.addEventListener("message", ({ data }) => resolve(String(data))),
  );
  socket.send("ping");
  expect(await told).toBe("pong");
  socket.close();
});

describe("quotas", () => {
  const asKey = async () => ({
    authorization: `Bearer ${(await addKey({ tenant: `quota-${crypto.randomUUID()}`, scopes: ["admin"] })).key}`,
  });

  it("count the requests of a minute, each key's for itself", async () => {
    const api = apiWith({ quotas: { requestsPerMinute: 3 } });
    const headers = await asKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => api("/v1/sessions", { headers })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(await codeOf(refused)).toBe("rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(refused.headers.get("ratelimit")).toMatch(/^"requests";r=0;t=\d+$/);
    expect(answers.find(({ status }) => status === 200)!.headers.get("ratelimit-policy")).toBe(
      '"requests";q=3;w=60',
    );
    expect((await api("/v1/sessions", { headers: await asKey() })).status).toBe(200);
  });

  it("hold a key to so many rounds at once", async () => {
    const api = apiWith({ quotas: { roundsAtOnce: 1 } });
    const headers = await asKey();
    const session = async () =>
      ((await (await api("/v1/sessions", { headers, json: {} })).json()) as { id: string }).id;
    const [first, second] = [await session(), await session()];
    const slow = await scriptModel([
      planned("CodeInterpreter", "Wait."),
      { thought: "", reply_type: "python", reply_content: "import time\ntime.sleep(2)" },
      planned("User", "Done."),
    ]);
    const accepted = await api(`/v1/sessions/${first}/messages`, {
      headers: { ...headers, prefer: "respond-async" },
      json: { message: slow.mention },
    });
    expect(accepted.status).toBe(202);
    const say = async () => {
      const { mention } = await scriptModel([planned("User", "Hi.")]);
      return api(`/v1/sessions/${second}/messages`, { headers, json: { message: mention } });
    };
    const refused = await say();
    expect([refused.status, await codeOf(refused)]).toEqual([429, "too_many_rounds"]);
    // Its end is found by whoever wants the place.
    await expect.poll(async () => (await say()).status, { timeout: 20_000, interval: 300 }).toBe(200);
    expect((await say()).status).toBe(200);
  });

  it("hold a key to its tokens of the day", async () => {
    const api = apiWith({ quotas: { tokensPerDay: 100 } });
    const headers = await asKey();
    const { id } = (await (await api("/v1/sessions", { headers, json: {} })).json()) as { id: string };
    const say = async () => {
      const { mention } = await scriptModel([planned("User", "Hi.")]);
      return api(`/v1/sessions/${id}/messages`, { headers, json: { message: mention } });
    };
    expect((await say()).status).toBe(200);
    const refused = await say();
    expect([refused.status, await codeOf(refused)]).toEqual([429, "token_quota"]);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(24 * 3600);
  });

  it("go by Cloudflare's own counter where it is bound", async () => {
    const asked: string[] = [];
    const rateLimiter = { limit: async ({ key }: { key: string }) => ({ success: asked.push(key) < 2 }) };
    const api = apiWith({}, { rateLimiter });
    const headers = { authorization: "Bearer key-of-alice" };
    expect((await api("/v1/roles", { headers })).status).toBe(200);
    expect(await codeOf(await api("/v1/roles", { headers }))).toBe("rate_limited");
    expect(asked[0]).toMatch(/^alice\/env-[0-9a-f]{8}$/);
  });
});

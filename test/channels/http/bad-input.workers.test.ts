import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, newSession } from "../../support/workers/api.ts";

async function problemOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as {
    status: number;
    code: string;
    detail: string;
    title: string;
    type: string;
  };
  expect(problem.status).toBe(response.status);
  expect(problem.type).toBeTruthy();
  expect(problem.title).toBeTruthy();
  expect(problem.detail.length).toBeGreaterThan(10);
  return problem;
}

const message = async (body: RequestInit) => {
  const session = await newSession({ roles: ["echo"] });
  const headers = { "content-type": "application/json", ...(body.headers as Record<string, string>) };
  return call(`/v1/sessions/${session}/messages`, { method: "POST", ...body, headers });
};

describe("bad input", () => {
  it("an unknown route", async () => {
    expect(await problemOf(await call("/v1/nonsense"))).toMatchObject({ status: 404, code: "unknown_route" });
    expect(await problemOf(await call("/nonsense", { key: null }))).toMatchObject({ code: "unknown_route" });
  });

  it("a wrong method, with what is possible", async () => {
    const response = await call("/v1/sessions", { method: "PUT" });
    expect(response.headers.get("allow")).toBe("POST, GET");
    expect(await problemOf(response)).toMatchObject({ status: 405, code: "method_not_allowed" });
  });

  it("broken JSON", async () => {
    expect(await problemOf(await message({ body: '{"message": ' }))).toMatchObject({
      status: 400,
      code: "malformed_json",
    });
  });

  it("something other than JSON", async () => {
    const response = await message({ body: "message=hi", headers: { "content-type": "text/plain" } });
    expect(await problemOf(response)).toMatchObject({ status: 415, code: "unsupported_media_type" });
  });

  it("a body that doesn't fit, with the place", async () => {
    const problem = await problemOf(await message({ body: '{"mesage": "hi"}' }));
    expect(problem).toMatchObject({ status: 422, code: "invalid_body", errors: expect.any(Array) });
    expect(problem.detail).toContain("message");
  });

  it("an unknown session", async () => {
    const paths = ["", "/rounds", "/artifacts"];
    for (const path of paths) {
      expect(await problemOf(await call(`/v1/sessions/nowhere${path}`))).toMatchObject({
        status: 404,
        code: "session_not_found",
      });
    }
    const sent = await call("/v1/sessions/nowhere/messages", { json: { message: "hi" } });
    expect(await problemOf(sent)).toMatchObject({ status: 404, code: "session_not_found" });
    const withFile = { message: "hi", files: [{ name: "a.txt", content_base64: "YQ==" }] };
    const sentFile = await call("/v1/sessions/nowhere/messages", { json: withFile });
    expect(await problemOf(sentFile)).toMatchObject({ status: 404, code: "session_not_found" });
  });

  it("an empty message", async () => {
    for (const text of ["", " \n\t"]) {
      expect(await problemOf(await message({ body: JSON.stringify({ message: text }) }))).toMatchObject({
        status: 422,
        code: "message_empty",
      });
    }
  });

  it("a message over 256 KB, counted in bytes", async () => {
    const fits = "ä".repeat(128 * 1024);
    expect((await message({ body: JSON.stringify({ message: fits }) })).status).toBe(200);
    const tooLarge = await message({ body: JSON.stringify({ message: `${fits}.` }) });
    expect(await problemOf(tooLarge)).toMatchObject({ status: 413, code: "message_too_large" });
  });

  it.each(["../etc/passwd", "a/b", "a\\b", "..", "", "a\u0000b", "x".repeat(256)])(
    "a file called %j",
    async (name) => {
      const body = JSON.stringify({ message: "hi", files: [{ name, content_base64: "YQ==" }] });
      expect(await problemOf(await message({ body }))).toMatchObject({
        status: 422,
        code: "invalid_file_name",
      });
    },
  );

  it("a file that isn't base64", async () => {
    const body = JSON.stringify({ message: "hi", files: [{ name: "a.txt", content_base64: "***" }] });
    expect(await problemOf(await message({ body }))).toMatchObject({ status: 422, code: "invalid_body" });
  });

  it.each([
    [{ id: "no spaces please" }, "invalid_body"],
    [{ roles: [] }, "invalid_body"],
    [{ roles: ["planner", "nobody"] }, "invalid_roles"],
    [{ roles: ["echo", "echo"] }, "invalid_roles"],
    [{ roles: ["echo", "code_interpreter"] }, "invalid_roles"],
    [{ colour: "blue" }, "invalid_body"],
  ])("a session asked for as %j", async (body, code) => {
    expect(await problemOf(await call("/v1/sessions", { json: body }))).toMatchObject({ status: 422, code });
  });

  it("a session id that is taken", async () => {
    const id = await newSession({ id: "my-own-choice" });
    expect(await problemOf(await call("/v1/sessions", { json: { id } }))).toMatchObject({
      status: 409,
      code: "session_exists",
    });
  });

  it("JSON that goes too deep, however it is hidden in strings", async () => {
    const deep = (levels: number) => `{"metadata": {"a": ${"[".repeat(levels)}"]\\"["${"]".repeat(levels)}}}`;
    const headers = { "content-type": "application/json" };
    const make = (body: string) => call("/v1/sessions", { method: "POST", body, headers });
    expect((await make(deep(60))).status).toBe(201);
    expect(await problemOf(await make(deep(63)))).toMatchObject({ status: 400, code: "malformed_json" });
    expect(await problemOf(await make(deep(500_000)))).toMatchObject({ status: 400, code: "malformed_json" });
    expect((await make(`{"metadata": {"a": "${"[".repeat(1000)}"}}`)).status).toBe(201);
  });

  it("a body over 32 MB", async () => {
    const body = JSON.stringify({ title: "x".repeat(33 * 1024 * 1024) });
    const headers = { "content-type": "application/json" };
    expect(await problemOf(await call("/v1/sessions", { method: "POST", body, headers }))).toMatchObject({
      status: 413,
      code: "body_too_large",
    });
  });

  it("headers or an address that nobody needs", async () => {
    for (const request of [
      call("/v1/roles", { headers: { "x-long": "x".repeat(33 * 1024) } }),
      call(`/v1/sessions?cursor=${"x".repeat(9000)}`),
    ]) {
      expect(await problemOf(await request)).toMatchObject({ status: 431, code: "header_too_large" });
    }
  });

  it("names in any script are taken as they are", async () => {
    const session = await newSession({ roles: ["echo"], title: "Zoë 🦋 日本語 \u202e" });
    for (const name of ["Zoë 🦋.csv", "日本語.txt", "a'b\"c;d.txt", "100%.txt", "#?&=.txt"]) {
      const path = `/v1/sessions/${session}/files/${encodeURIComponent(name)}`;
      expect((await call(path, { method: "PUT", body: name })).status).toBe(201);
      const back = await call(path);
      expect(await back.text()).toBe(name);
      expect(back.headers.get("content-disposition")).toContain("attachment; filename*=UTF-8''");
    }
    const { data } = (await (await call(`/v1/sessions/${session}/files`)).json()) as { data: object[] };
    expect(data).toHaveLength(5);
  });

  it("thousands of files are too many for a message, and fit a session", async () => {
    const session = await newSession({ roles: ["echo"] });
    const files = Array.from({ length: 3000 }, (_, n) => ({ name: `f${n}`, content_base64: "YQ==" }));
    const refused = await call(`/v1/sessions/${session}/messages`, { json: { message: "hi", files } });
    expect(await problemOf(refused)).toMatchObject({ status: 422, code: "invalid_body" });
    await Promise.all(
      files.slice(0, 1200).map(({ name }) => env.FILES.put(`alice/${session}/files/${name}`, "a")),
    );
    type List = { data: object[]; next_cursor: string | null };
    let seen = 0;
    for (let cursor = ""; ;) {
      const page = (await (await call(`/v1/sessions/${session}/files?limit=100${cursor}`)).json()) as List;
      seen += page.data.length;
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toBe(1200);
  });

  it("a page that can't be", async () => {
    for (const path of ["/v1/sessions", "/v1/sessions/nowhere/rounds", "/v1/experiences"]) {
      expect(await problemOf(await call(`${path}?cursor=x`))).toMatchObject({
        status: 422,
        code: "invalid_cursor",
      });
    }
    expect(await problemOf(await call("/v1/sessions?limit=0"))).toMatchObject({
      status: 422,
      code: "invalid_limit",
    });
  });
});

describe("without the right key", () => {
  it("nobody is let in, but for health", async () => {
    expect((await call("/health", { key: null })).status).toBe(200);
    for (const key of [null, "wrong", "key-of-alice "]) {
      const response = await call("/v1/sessions", { key: key === null ? null : key.replace(" ", "x") });
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await problemOf(response)).toMatchObject({ status: 401, code: "unauthorized" });
    }
  });

  it("another tenant's session is not there", async () => {
    const session = await newSession({ title: "Alice's" });
    const asBob = { key: "key-of-bob" };
    for (const path of ["", "/rounds", "/artifacts", "/rounds/round-1"]) {
      expect((await call(`/v1/sessions/${session}${path}`, asBob)).status).toBe(404);
    }
    expect(
      (await call(`/v1/sessions/${session}/messages`, { ...asBob, json: { message: "hi" } })).status,
    ).toBe(404);
    expect((await call(`/v1/sessions/${session}`, { ...asBob, method: "DELETE" })).status).toBe(404);
    expect((await call(`/v1/sessions/${session}`)).status).toBe(200);
    const own = await call("/v1/sessions", { key: "key-of-bob", json: { id: session } });
    expect(own.status).toBe(201);
  });
});

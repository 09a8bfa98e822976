import { describe, expect, it } from "vitest";
import { signLink } from "../../../src/channels/http/signed-link.ts";
import { call, newSession, planned, python, scriptModel, send } from "../../support/workers/api.ts";
import { apiWith } from "../../support/workers/api-with.ts";

const put = (session: string, name: string, body: BodyInit, headers: Record<string, string> = {}) =>
  call(`/v1/sessions/${session}/files/${encodeURIComponent(name)}`, { method: "PUT", body, headers });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe("a session's files", () => {
  it("go in and come out as they were, whole and in parts", async () => {
    const session = await newSession({ roles: ["echo"] });
    const path = `/v1/sessions/${session}/files/numbers.csv`;
    const created = await put(session, "numbers.csv", "a,b\n1,2\n");
    expect(created.status).toBe(201);
    const file = (await created.json()) as { id: string; etag: string };
    expect(file).toMatchObject({
      id: `${session}/files/numbers.csv`,
      name: "numbers.csv",
      size: 8,
      mime: "text/csv",
    });
    expect((await put(session, "numbers.csv", "a,b\n3,4\n")).status).toBe(200);

    const whole = await call(path);
    expect(await whole.text()).toBe("a,b\n3,4\n");
    const etag = whole.headers.get("etag")!;
    expect(etag).not.toBe(file.etag);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename\*=UTF-8''numbers.csv$/);
    expect((await call(path, { headers: { "if-none-match": etag } })).status).toBe(304);

    const part = await call(path, { headers: { range: "bytes=2-4" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 2-4/8",
      "b\n3",
    ]);
    const tail = await call(path, { headers: { range: "bytes=-3" } });
    expect([tail.status, await tail.text()]).toEqual([206, ",4\n"]);
    const stale = await call(path, { headers: { range: "bytes=2-4", "if-range": file.etag } });
    expect([stale.status, await stale.text()]).toEqual([200, "a,b\n3,4\n"]);
    const beyond = await call(path, { headers: { range: "bytes=8-" } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */8"]);
    expect(await codeOf(beyond)).toBe("range_not_satisfiable");
    const head = await call(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "8", ""]);

    const list = (await (await call(`/v1/sessions/${session}/files`)).json()) as { data: { name: string }[] };
    expect(list.data.map(({ name }) => name)).toEqual(["numbers.csv"]);
    expect((await call(path, { method: "DELETE" })).status).toBe(204);
    expect(await codeOf(await call(path))).toBe("file_not_found");
    expect(await codeOf(await call(path, { method: "DELETE" }))).toBe("file_not_found");
  });

  it("are listed by name, page by page", async () => {
    const session = await newSession({ roles: ["echo"] });
    for (const name of ["b", "ä%2F.txt", "a b", "c"])
      expect((await put(session, name, name)).status).toBe(201);
    type List = { data: { name: string }[]; next_cursor: string | null };
    const first = (await (await call(`/v1/sessions/${session}/files?limit=3`)).json()) as List;
    expect(first.data.map(({ name }) => name)).toEqual(["a b", "b", "c"]);
    const next = `/v1/sessions/${session}/files?limit=3&cursor=${encodeURIComponent(first.next_cursor!)}`;
    expect(await (await call(next)).json()).toMatchObject({
      data: [{ name: "ä%2F.txt" }],
      next_cursor: null,
    });
  });

  it("of a length that isn't told are stored piece by piece", async () => {
    const session = await newSession({ roles: ["echo"] });
    const piece = new Uint8Array(3 * 1024 * 1024).map((_, index) => index % 251);
    let left = 6;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece.slice());
        else controller.close();
      },
    });
    const stored = await put(session, "large.bin", body);
    expect(await stored.json()).toMatchObject({ size: 6 * piece.length });
    const back = await (await call(`/v1/sessions/${session}/files/large.bin`)).bytes();
    expect(back.subarray(5 * piece.length)).toEqual(piece);
  });

  it("can't be over the limit, nor have a name that is a path", async () => {
    const session = await newSession({ roles: ["echo"] });
    const large = await put(session, "a", "x", { "content-length": String(200 * 1024 * 1024) });
    expect([large.status, await codeOf(large)]).toEqual([413, "file_too_large"]);
    const small = apiWith({ maxUploadBytes: 10 });
    const stream = () => new Blob(["x".repeat(11)]).stream();
    for (const body of ["x".repeat(11), stream()]) {
      const over = await small(`/v1/sessions/${session}/files/b`, {
        method: "PUT",
        body,
        headers: { authorization: "Bearer key-of-alice" },
      });
      expect([over.status, await codeOf(over)]).toEqual([413, "file_too_large"]);
    }
    expect((await call(`/v1/sessions/${session}/files/b`)).status).toBe(404);
    for (const name of ["a/b", "a\\b", "a\u0001b", "x".repeat(256)]) {
      expect(await codeOf(await put(session, name, "x"))).toBe("invalid_file_name");
    }
    expect(await codeOf(await put("nowhere", "a", "x"))).toBe("session_not_found");
  });

  it.each([
    ["page.html", "text/html", "attachment"],
    ["drawing.svg", "image/svg+xml", "attachment"],
    ["picture.png", "image/png", "inline"],
  ])("%s is served so that it can't act", async (name, mime, disposition) => {
    const session = await newSession({ roles: ["echo"] });
    await put(session, name, "<script>alert(1)</script>");
    const { headers } = await call(`/v1/sessions/${session}/files/${name}`);
    expect(headers.get("content-type")).toBe(mime);
    expect(headers.get("content-disposition")).toMatch(new RegExp(`^${disposition};`));
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const asked = await call(`/v1/sessions/${session}/files/${name}?download=1`);
    expect(asked.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  it("put since the last round are named once and are there for the code", async () => {
    const session = await newSession();
    await put(session, "b.txt", "two");
    await put(session, "a.txt", "one");
    const first = await scriptModel([
      planned("CodeInterpreter", "Read both."),
      python("open('a.txt').read() + open('b.txt').read() + open('c.txt').read()"),
      planned("User", "Done."),
    ]);
    const files = [{ name: "c.txt", content_base64: btoa("three") }];
    const round = await send(session, `read ${first.mention}`, files);
    expect(round).toMatchObject({ user_query: `files added: a.txt, b.txt, c.txt.\nread ${first.mention}` });
    expect(round.post_list[2]!.message).toContain("onetwothree");
    expect((await first.requests())[0]!.messages.at(-1)!.content).toContain(
      "files added: a.txt, b.txt, c.txt.",
    );

    await put(session, "a.txt", "changed");
    const second = await scriptModel([
      planned("CodeInterpreter", "Read again."),
      python("open('a.txt').read()"),
      planned("User", "Done."),
    ]);
    const next = await send(session, `again ${second.mention}`);
    expect(next).toMatchObject({ user_query: `files added: a.txt.\nagain ${second.mention}` });
    expect(next.post_list[2]!.message).toContain("changed");
    const third = await scriptModel([planned("User", "Nothing.")]);
    expect(await send(session, third.mention)).toMatchObject({ user_query: third.mention });
  });

  it("come into a message by id: from this session, from another one, from what code made", async () => {
    const other = await newSession();
    const made = await scriptModel([
      planned("CodeInterpreter", "Make a file."),
      python("open('made.txt', 'w').write('made')"),
      planned("User", "Made."),
    ]);
    await send(other, made.mention);
    await put(other, "there.txt", "there");
    const { data } = (await (await call(`/v1/sessions/${other}/artifacts`)).json()) as {
      data: { id: string }[];
    };

    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Read."),
      python("open('here.txt').read() + open('copy.txt').read()"),
      planned("User", "Read."),
    ]);
    const files = [
      { name: "here.txt", file_id: `${other}/files/there.txt` },
      { name: "copy.txt", file_id: `${other}/artifacts/${data[0]!.id}` },
    ];
    const response = await call(`/v1/sessions/${session}/messages`, { json: { message: mention, files } });
    const round = (await response.json()) as { post_list: { message: string }[] };
    expect(round.post_list[2]!.message).toContain("theremade");

    for (const file_id of ["nonsense", `${other}/files/nothing`, `${other}/files/..`, "nowhere/files/a"]) {
      const message = { message: "hi", files: [{ name: "a", file_id }] };
      const refused = await call(`/v1/sessions/${session}/messages`, { json: message });
      expect([refused.status, await codeOf(refused)]).toEqual([422, "unknown_file"]);
    }
    const bobs = await call("/v1/sessions", { key: "key-of-bob", json: { roles: ["echo"] } });
    const { id } = (await bobs.json()) as { id: string };
    const asBob = { key: "key-of-bob", json: { message: "hi", files: [files[0]] } };
    expect(await codeOf(await call(`/v1/sessions/${id}/messages`, asBob))).toBe("unknown_file");
  });
});

describe("a signed link", () => {
  it("opens its file without a key, nothing else, and not for ever", async () => {
    const session = await newSession({ roles: ["echo"] });
    await put(session, "a b.txt", "linked");
    await put(session, "other.txt", "other");
    const path = `/v1/sessions/${session}/files/a%20b.txt`;
    const made = await call(`${path}/link`, { json: { expires_in: 60 } });
    expect(made.status).toBe(201);
    const link = new URL(((await made.json()) as { url: string }).url);
    const open = (url: URL, init = {}) => call(url.pathname + url.search, { key: null, ...init });
    expect(await (await open(link)).text()).toBe("linked");
    expect((await open(link, { headers: { range: "bytes=0-2" } })).status).toBe(206);

    const changes: ((url: URL) => unknown)[] = [
      (url) => (url.pathname = `/v1/sessions/${session}/files/other.txt`),
      (url) => (url.pathname = `/v1/sessions/${session}/export`),
      (url) => url.searchParams.set("expires", "9999999999"),
      (url) => url.searchParams.set("tenant", "bob"),
      (url) => url.searchParams.set("signature", "AAAA"),
      (url) => url.searchParams.set("signature", "ä"),
    ];
    for (const change of changes) {
      const changed = new URL(link);
      change(changed);
      const refused = await open(changed);
      expect([refused.status, await codeOf(refused)]).toEqual([403, "invalid_link"]);
    }
    expect((await open(link, { method: "DELETE" })).status).toBe(403);
    const expires = Math.floor(Date.now() / 1000);
    const sign = (seconds: number) =>
      signLink({ secret: "secret-of-the-links", tenant: "alice", path, expires: expires + seconds });
    expect((await call(await sign(30), { key: null })).status).toBe(200);
    const late = await call(await sign(-30), { key: null });
    expect([late.status, await codeOf(late)]).toEqual([403, "invalid_link"]);
    expect(await codeOf(await call(`/v1/sessions/${session}/files/nothing/link`, { method: "POST" }))).toBe(
      "file_not_found",
    );
  });
});

describe("what a deployment tells of itself", () => {
  it("is its settings without secrets", async () => {
    const shown = await (await call("/v1/config")).text();
    expect(JSON.parse(shown)).toMatchObject({
      "llm.model": "scripted",
      "session.max_internal_chat_round_num": 10,
    });
    for (const secret of ["key-of-the-model", "key-of-alice", "secret-of-the-links"])
      expect(shown).not.toContain(secret);
  });

  it("and what was used, by day and key, also of sessions that are gone", async () => {
    const asBob = (path: string, init = {}) => call(path, { key: "key-of-bob", ...init });
    const { id } = (await (await asBob("/v1/sessions", { json: {} })).json()) as { id: string };
    const { mention } = await scriptModel([planned("User", "Hello.")]);
    expect((await asBob(`/v1/sessions/${id}/messages`, { json: { message: mention } })).status).toBe(200);
    await asBob(`/v1/sessions/${id}`, { method: "DELETE" });
    const { data } = (await (await asBob("/v1/usage")).json()) as { data: object[] };
    expect(data.at(-1)).toMatchObject({
      day: new Date().toISOString().slice(0, 10),
      rounds: expect.any(Number),
      model_calls: expect.any(Number),
      prompt_tokens: expect.any(Number),
    });
    expect(await (await asBob("/v1/usage?from=2020-01-01&to=2020-02-01")).json()).toMatchObject({ data: [] });
    expect(await codeOf(await asBob("/v1/usage?from=yesterday"))).toBe("invalid_day");
  });
});

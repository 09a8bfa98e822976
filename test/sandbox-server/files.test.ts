import { createHash } from "node:crypto";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { forEachEngine } from "./engines.ts";
import { startSandbox, TOKEN } from "./support.ts";
import type { Sandbox } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

forEachEngine((engine) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  /** `fetch` would tidy up the path. */
  async function rawRequest(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    return await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const request = httpRequest(sandbox.url, { method, path, headers }, (response) => {
        let text = "";
        response.on("data", (piece) => (text += piece));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  const hostFolder = async () => {
    const contexts = join(sandbox.stateDir, "sandbox/contexts");
    return (await readdir(contexts)).map((name) => join(contexts, name));
  };

  test("a file is written, seen by Python, listed, read and deleted", async () => {
    const context = await sandbox.context();
    const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    const put = await context.file("data/in%20put.bin", { method: "PUT", body: bytes });
    expect([put.status, put.headers.get("etag")]).toEqual([201, etag]);
    expect((await context.file("data/in%20put.bin", { method: "PUT", body: bytes })).status).toBe(200);
    expect((await context.run("len(open('data/in put.bin','rb').read())")).result).toBe("300000");

    const get = await context.file("data/in%20put.bin");
    expect(get.headers.get("content-length")).toBe("300000");
    expect(get.headers.get("etag")).toBe(etag);
    expect(new Uint8Array(await get.arrayBuffer())).toEqual(bytes);
    expect((await context.file("data/in%20put.bin", { headers: { "if-none-match": etag } })).status).toBe(
      304,
    );

    const append = "open('data/in put.bin','ab').write(b'!'); open('data/new','w').write('n'); None";
    expect((await context.run(append)).error).toBeUndefined();
    expect((await context.file("data/new", { method: "DELETE" })).status).toBe(204);
    await context.file("data/in%20put.bin", { method: "PUT", body: bytes });

    await context.file("ünï.txt", { method: "PUT", body: "" });
    const list = (await (await sandbox.request(`${context.path}/files`)).json()) as { files: unknown[] };
    expect(list.files).toMatchObject([
      { path: "data/in put.bin", size: 300_000 },
      { path: "ünï.txt", size: 0 },
    ]);
    expect(await (await context.file("ünï.txt")).text()).toBe("");
    expect((await context.file("data/in%20put.bin", { method: "DELETE" })).status).toBe(204);
    expect((await context.file("data/in%20put.bin")).status).toBe(404);
  });

  test.each([
    "..",
    "../context.json",
    "%2e%2e/x",
    "..%2fx",
    "a/../../x",
    "a%2f..%2f..%2fx",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "a%5cb",
    "..%5c..%5cx",
    "a%00b",
    ".",
    "a//b",
    "%",
    `${"n".repeat(300)}`,
  ])("the name %s is refused", async (name) => {
    const context = await sandbox.context({ id: "hostile" });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, text } = await rawRequest(
        method,
        `${context.path}/files/${name}`,
        method === "PUT" ? "evil" : undefined,
      );
      expect([status, (JSON.parse(text) as ErrorBody).error.code]).toEqual([
        400,
        expect.stringMatching(/^invalid_/),
      ]);
    }
    expect(await (await sandbox.request(`${context.path}/files`)).json()).toEqual({ files: [] });
  });

  test("links are never followed, however they came there", async () => {
    const context = await sandbox.context({ id: "links" });
    await context.file("own.txt", { method: "PUT", body: "own" });
    const [folder] = await Promise.all(
      (await hostFolder()).map(async (path) =>
        (await readdir(join(path, "files"))).includes("own.txt") ? path : "",
      ),
    ).then((found) => found.filter(Boolean));
    const outside = join(sandbox.stateDir, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "secret.txt"), "secret");
    await symlink(join(outside, "secret.txt"), join(folder!, "files/file-link"));
    await symlink(outside, join(folder!, "files/folder-link"));

    expect((await context.file("file-link")).status).toBe(404);
    expect((await context.file("folder-link/secret.txt")).status).toBe(400);
    expect((await context.file("folder-link/new.txt", { method: "PUT", body: "x" })).status).toBe(400);
    expect((await context.file("folder-link/deep/new.txt", { method: "PUT", body: "x" })).status).toBe(400);
    expect((await context.file("file-link", { method: "PUT", body: "mine now" })).ok).toBe(true);
    expect(await readdir(outside)).toEqual(["secret.txt"]);
    const list = (await (await sandbox.request(`${context.path}/files`)).json()) as {
      files: { path: string }[];
    };
    expect(list.files.map(({ path }) => path)).toEqual(["file-link", "own.txt"]);
  });

  test("too large is said before it is taken", async () => {
    const context = await sandbox.context();
    const headers = { "content-length": String(200 * 1024 * 1024), authorization: `Bearer ${TOKEN}` };
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        `${sandbox.url}${context.path}/files/big`,
        { method: "PUT", headers },
        (response) => {
          resolve(response.statusCode);
          request.destroy();
        },
      );
      request.on("error", reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
    const code = await context.start("#".repeat(1024 * 1024 + 1));
    expect([code.status, ((await code.json()) as ErrorBody).error.code]).toEqual([413, "too_large"]);
  });
});

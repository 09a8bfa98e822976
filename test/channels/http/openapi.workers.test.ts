import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { routeDocs as ownDocs } from "../../../src/channels/http/openapi/routes.ts";
import { openAiDocs } from "../../../src/channels/openai/index.ts";
import { call } from "../../support/workers/api.ts";

type Json = Record<string, unknown>;
const readDocument = async () => (await (await call("/openapi.json", { key: null })).json()) as Json;
/** Every object in a JSON value, itself included. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  yield value as Json;
  for (const child of Object.values(value)) yield* objectsIn(child);
}

const routeDocs = [...ownDocs, ...openAiDocs];

describe("the description of the API", () => {
  it("has every route, and none besides", () => {
    const routes = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path}`);
    expect(routeDocs.map(({ route }) => route).toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it("is OpenAPI 3.1 whose references lead somewhere", async () => {
    const document = await readDocument();
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "TaskWeaver Edge" } });
    const { schemas } = document.components as { schemas: Json };
    const refs = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) expect(Object.keys(schemas)).toContain(ref.replace("#/components/schemas/", ""));
    expect([...objectsIn(document)].some((each) => "$defs" in each)).toBe(false);
    const operations = Object.values(document.paths as Json).flatMap((methods) =>
      Object.values(methods as Json),
    );
    expect(operations).toHaveLength(routeDocs.length);
    const ids = operations.map((operation) => (operation as { operationId: string }).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says of each operation what it takes, what it answers, and the scope that it needs", async () => {
    const { paths } = (await readDocument()) as { paths: Record<string, Record<string, Json>> };
    const send = paths["/v1/sessions/{id}/messages"]!.post!;
    expect(send).toMatchObject({ "x-scope": "chat", tags: ["Rounds"] });
    expect(Object.keys(send.responses as Json)).toEqual(
      expect.arrayContaining([
        "200",
        "202",
        "400",
        "401",
        "403",
        "404",
        "409",
        "413",
        "415",
        "422",
        "429",
        "503",
      ]),
    );
    expect(JSON.stringify(send.requestBody)).toContain('"content_base64"');
    expect(paths["/v1/config"]!.get).toMatchObject({ "x-scope": "admin" });
    expect(paths["/health"]!.get).toMatchObject({ security: [] });
  });

  it("is shown as a page that fetches nothing from elsewhere", async () => {
    const response = await call("/docs", { key: null });
    const page = await response.text();
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page).not.toMatch(/https?:\/\/|src=|NONCE/);
    const [, nonce] = /<script nonce="([^"]+)"/.exec(page)!;
    expect(response.headers.get("content-security-policy")).toContain(`script-src 'nonce-${nonce}'`);
    const [, script] = /<script[^>]*>([\s\S]*)<\/script>/.exec(page)!;
    expect(script).toContain(String.raw`.join(" \\\n")`);
  });
});

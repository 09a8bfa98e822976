import { beforeAll, describe, expect, it } from "vitest";
import { routeDocs } from "../../../src/channels/http/openapi/routes.ts";
import { partsOf } from "../../../src/channels/http/openapi/document.ts";
import { call, newSession, planned, python, scriptModel, send } from "../../support/workers/api.ts";

/** What Alice has, by the names that routes have for it. */
const things: Record<string, string> = {};
let lesson: string;

beforeAll(async () => {
  const session = await newSession({ title: "Alice's alone" });
  const { mention } = await scriptModel([
    planned("CodeInterpreter", "Make a file."),
    python("open('secret.txt', 'w').write('secret')"),
    planned("User", "Made."),
  ]);
  const round = await send(session, `alices-secret ${mention}`, [
    { name: "upload.txt", content_base64: "YQ==" },
  ]);
  const { data } = (await (await call(`/v1/sessions/${session}/artifacts`)).json()) as {
    data: { id: string }[];
  };
  Object.assign(things, { id: session, rid: round.id, aid: data[0]!.id, name: "upload.txt" });
  const taught = await call("/v1/experiences", { json: { experience_text: "alices-secret lesson" } });
  lesson = ((await taught.json()) as { id: string }).id;
  await call("/v1/documents/upload.txt", { method: "PUT", body: "alices-secret document" });
});

const ofLesson = (route: string) => route.includes("/v1/experiences/:id");
const pathFor = (doc: { route: string }) => {
  const { path, names } = partsOf(doc);
  return names.reduce(
    (filled, name) =>
      filled.replace(`{${name}}`, encodeURIComponent(ofLesson(doc.route) ? lesson : things[name]!)),
    path,
  );
};
const request = (doc: (typeof routeDocs)[number]) => ({
  method: partsOf(doc).method.toUpperCase(),
  ...(doc.body === "bytes" ? { body: "mine now" } : doc.body ? { json: doc.example } : {}),
});

/** Makes a thing of the caller's own, whatever another tenant has under the name. */
const isMaking = (doc: { route: string }) => doc.route === "PUT /v1/documents/:name";
/** The routes that name something: all of them, also those that are still to come. */
const naming = routeDocs.filter((doc) => partsOf(doc).names.length > 0 && !isMaking(doc));
/** The routes that show what a tenant has: there is nothing of another's among it. */
const listing = routeDocs.filter(
  (doc) =>
    partsOf(doc).method === "get" && doc.route.startsWith("GET /v1/") && partsOf(doc).names.length === 0,
);

describe("another tenant's things are not there", () => {
  it.each(naming.map((doc) => [doc.route, doc] as const))("for %s", async (_route, doc) => {
    const response = await call(pathFor(doc), { key: "key-of-bob", ...request(doc) });
    const answer = await response.text();
    expect(response.status).toBe(404);
    expect(answer).not.toContain("alices-secret");
    expect(JSON.parse(answer)).toMatchObject({ code: expect.stringMatching(/_not_found$/) });
  });

  it.each(listing.map((doc) => [doc.route, doc] as const))("in %s", async (_route, doc) => {
    const answer = await (await call(pathFor(doc), { key: "key-of-bob" })).text();
    expect(answer).not.toContain("alices-secret");
    expect(answer).not.toContain(things.id);
  });

  it.each(routeDocs.filter(isMaking).map((doc) => [doc.route, doc] as const))(
    "nor touched by %s",
    async (_route, doc) => {
      const made = await call(pathFor(doc), { key: "key-of-bob", ...request(doc) });
      expect([made.status, await made.text()]).toEqual([201, expect.not.stringContaining("alices-secret")]);
      const alices = await call(pathFor(doc));
      expect(await alices.text()).toContain("alices-secret");
      await call(pathFor(doc), { key: "key-of-bob", method: "DELETE" });
    },
  );

  it("and it was all left as it is", async () => {
    const reading = naming.filter((doc) => partsOf(doc).method === "get" && !doc.route.endsWith("/events"));
    for (const doc of reading) {
      expect([doc.route, (await call(pathFor(doc))).status]).toEqual([doc.route, 200]);
    }
    const upload = await call(`/v1/sessions/${things.id}/files/upload.txt`);
    expect(await upload.text()).toBe("a");
    expect(await (await call(`/v1/sessions/${things.id}/rounds`)).json()).toMatchObject({
      data: [{ id: things.rid }],
    });
  });
});

import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partsOf, problemsOf } from "../../../src/channels/http/openapi/document.ts";
import { problemCodes, type ProblemCode } from "../../../src/channels/http/openapi/problem-codes.ts";
import { routeDocs as ownDocs } from "../../../src/channels/http/openapi/routes.ts";
import { openAiDocs } from "../../../src/channels/openai/index.ts";
import type { AnswerDoc, RouteDoc } from "../../../src/channels/http/openapi/route-doc.ts";
import { call, newSession, send } from "../../support/workers/api.ts";
import { schemaArbitrary, type Schema } from "../../support/workers/schema-arbitrary.ts";

// Every operation of the description is called with what fits it, with what nearly fits, and with nonsense. Whatever
// comes, the answer is one that the description has: never a 5xx, never a status, code or shape of which it says nothing.

const numRuns = Number((env as unknown as { FUZZ_RUNS: string }).FUZZ_RUNS);
const seed = Number(
  (env as unknown as { FUZZ_SEED?: string }).FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31),
);

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

let known: Record<string, string>;
let paths: Record<string, Record<string, Operation>>;
let components: Record<string, Schema>;
const counts: Record<string, number> = {};

beforeAll(async () => {
  const document = (await (await call("/openapi.json")).json()) as {
    paths: typeof paths;
    components: { schemas: typeof components };
  };
  ({ paths } = document);
  components = document.components.schemas;
  const session = await newSession({ roles: ["echo"] });
  const round = await send(session, "hello", [{ name: "a.txt", content_base64: "YQ==" }]);
  await call("/v1/documents/a.txt", { method: "PUT", body: "A document." });
  known = { id: session, rid: round.id, name: "a.txt", aid: "none", model: "taskweaver" };
});

afterAll(() => console.log(`Fuzz with seed ${seed}: answers by status`, counts));

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40, unit: "binary" }));
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);

/** Values of the headers that have a grammar, right and nearly right. */
const headerValues: Record<string, string[]> = {
  Prefer: ["respond-async", "wait=0", "wait=1", "wait=-1", "wait=soon", "respond-async, wait=0"],
  "If-Busy": ["reject", "wait"],
  Accept: ["text/event-stream", "application/json", "*/*"],
  Range: [
    "bytes=0-0",
    "bytes=5-",
    "bytes=-1",
    "bytes=0-0,1-1",
    "bytes=9-2",
    "lines=1-2",
    "bytes=-",
    "bytes=-0",
  ],
  "If-None-Match": ["*", '"x"', "W/"],
  "If-Range": ['"x"'],
  "Last-Event-ID": ["0", "1", "-1", "x", "99999999999999999999"],
  // A socket is opened by its own test.
  Upgrade: ["h2c"],
};

function requestArbitrary(doc: RouteDoc) {
  const { method, path, names } = partsOf(doc);
  const { parameters = [], requestBody } = paths[path]![method]!;
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const inHeader = parameters.filter((parameter) => parameter.in === "header");
  const isLoss = method === "delete";
  const mine = (name: string) =>
    fc.oneof(
      { weight: isLoss ? 0 : 3, arbitrary: fc.constant(known[name]!) },
      { weight: 1, arbitrary: text },
    );
  const schema = requestBody?.content["application/json"]?.schema;
  const fitting = schema ? schemaArbitrary(schema, components).map((value) => JSON.stringify(value)) : text;
  return fc.record({
    params: fc.tuple(...names.map(mine)),
    query: fc.record(
      Object.fromEntries(
        inQuery.map(({ name, schema: wanted }) => [
          name,
          fc.oneof(schemaArbitrary(wanted, components).map(String), text),
        ]),
      ),
      { requiredKeys: [] },
    ),
    headers: fc.record(
      Object.fromEntries(
        inHeader.map(({ name }) => [
          name,
          fc.oneof(fc.constantFrom(...(headerValues[name] ?? ["x"])), headerText),
        ]),
      ),
      { requiredKeys: [] },
    ),
    body: fc.oneof(
      { weight: 4, arbitrary: fitting },
      { weight: 2, arbitrary: fc.constant(JSON.stringify(doc.example ?? {})) },
      { weight: 2, arbitrary: fc.json() },
      { weight: 1, arbitrary: text },
    ),
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant("application/json") },
      { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-8", "") },
    ),
  });
}

/** What URLs and headers can't carry can't be sent. */
const encode = (value: string) => encodeURIComponent(value.toWellFormed());

const routeDocs = [...ownDocs, ...openAiDocs];

describe("whatever is sent is answered as the description says", () => {
  it.each(routeDocs.map((doc) => [doc.route, doc] as const))(
    "%s",
    { timeout: 600_000 },
    async (_route, doc) => {
      const { method, path, names } = partsOf(doc);
      await fc.assert(
        fc.asyncProperty(requestArbitrary(doc), async ({ params, query, headers, body, type }) => {
          const filled = names.reduce(
            (so, name, index) => so.replace(`{${name}}`, () => encode(params[index]!)),
            path,
          );
          const search = Object.entries(query).map(([name, value]) => `${name}=${encode(String(value))}`);
          const response = await call(`${filled}?${search.join("&")}`, {
            method: method.toUpperCase(),
            headers: {
              ...(headers as Record<string, string>),
              ...(type === "" ? {} : { "content-type": type }),
            },
            ...(doc.body === undefined ? {} : { body: body.toWellFormed() }),
          });
          counts[response.status] = (counts[response.status] ?? 0) + 1;
          await expect(whyUndocumented(doc, response, params)).resolves.toBeUndefined();
        }),
        { numRuns, seed, endOnFailure: true },
      );
    },
  );
});

/** What the description doesn't say of the answer; undefined when it says all. */
async function whyUndocumented(
  doc: RouteDoc,
  response: Response,
  params: string[],
): Promise<string | undefined> {
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  const answer = doc.answers[status];
  if (answer && doc.route.endsWith("/events")) return void (await response.body!.cancel());
  const content = await response.text();
  if (answer) return whyUnfit(answer, type, content);
  if (status < 400 || status >= 500) return `There may be no ${status}: ${content}`;
  // A path's part that is empty, made of dots or holds a line's end leads elsewhere.
  const leadsElsewhere = params.some(
    (param) => /^\.{0,2}$/.test(param.trim()) || /[\p{Cc}\u2028\u2029/\\]/u.test(param),
  );
  if (doc.refusals) {
    if (leadsElsewhere && (status === 404 || status === 405)) return undefined;
    const refusal = doc.refusals[status];
    return refusal ? whyUnfit(refusal, type, content) : `${status} is not among the refusals: ${content}`;
  }
  if (type !== "application/problem+json") return `A refusal is sent as ${type}.`;
  const { code } = JSON.parse(content) as { code: ProblemCode };
  if (problemCodes[code]?.[0] !== status) return `${status} is not the status of ${content}`;
  if (leadsElsewhere && ["unknown_route", "method_not_allowed"].includes(code)) return undefined;
  return problemsOf(doc).includes(code) ? undefined : `It is not among the refusals: ${content}`;
}

function whyUnfit({ body, orType }: AnswerDoc, type: string, content: string): string | undefined {
  if (!body) return content === "" ? undefined : `It is to be empty: ${content}`;
  if (typeof body === "string" || (orType && type.startsWith(orType))) return undefined;
  const fits = body.safeParse(JSON.parse(content));
  return fits.success ? undefined : `${content.slice(0, 500)} doesn't fit: ${fits.error.message}`;
}

import * as z from "zod";
import { scopeOf } from "../scopes.ts";
import { problem } from "./answers.ts";
import { problemCodes, type ProblemCode } from "./problem-codes.ts";
import type { AnswerDoc, RouteDoc } from "./route-doc.ts";

type Json = Record<string, unknown>;

/** The API in OpenAPI 3.1, made of the schemas that check requests and of those that describe answers. */
export function openApiDocument(routes: RouteDoc[], version: string): Json {
  const schemas: Json = {};
  const describe = (schema: z.ZodType, io: "input" | "output") => schemaOf(schema, io, schemas);
  const paths: Record<string, Json> = {};
  for (const doc of routes) {
    const { method, path } = partsOf(doc);
    (paths[path] ??= {})[method] = operation(doc, describe);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "TaskWeaver Edge",
      version,
      description: "A code-first agent: a Planner, workers that write and run Python, over HTTP.",
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key" } },
    },
  };
}

/** `GET /v1/sessions/:id{.+}` is `get` of `/v1/sessions/{id}`. */
export function partsOf({ route }: Pick<RouteDoc, "route">) {
  const [method = "", path = ""] = route.split(" ");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return { method: method.toLowerCase(), path: path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}"), names };
}

/** All that a route may refuse with: its own reasons, and those of its kind. */
export function problemsOf(doc: RouteDoc): ProblemCode[] {
  if (doc.isOpen) return [];
  const { method } = partsOf(doc);
  const reading: ProblemCode[] =
    doc.body === undefined || doc.body === "bytes"
      ? []
      : ["malformed_json", "body_too_large", "unsupported_media_type", "invalid_body"];
  const repeating: ProblemCode[] =
    method === "post" ? ["invalid_idempotency_key", "idempotency_in_progress", "idempotency_key_reused"] : [];
  const asking: ProblemCode[] = [
    "unauthorized",
    "no_api_keys",
    "key_expired",
    "key_revoked",
    "scope_missing",
    "foreign_page",
    "rate_limited",
    "header_too_large",
    "misconfigured",
    "keys_unreachable",
    "access_unreachable",
  ];
  return [...new Set([...(doc.problems ?? []), ...reading, ...repeating, ...asking])];
}

function operation(doc: RouteDoc, describe: (schema: z.ZodType, io: "input" | "output") => Json): Json {
  const { method, names } = partsOf(doc);
  const parameters = [
    ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...Object.entries(doc.query ?? {}).map(([name, schema]) => ({
      name,
      in: "query",
      schema: describe(schema, "input"),
    })),
    ...Object.entries({
      ...doc.headers,
      ...(method === "post" && !doc.isOpen
        ? { "Idempotency-Key": "the same key again gets the first answer" }
        : {}),
    }).map(([name, description]) => ({ name, in: "header", description, schema: { type: "string" } })),
  ];
  return {
    operationId: operationId(doc),
    tags: [doc.group],
    summary: doc.summary,
    ...(doc.isOpen
      ? { security: [] }
      : { "x-scope": scopeOf(method.toUpperCase(), doc.route.split(" ")[1]!) }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(doc.body === undefined ? {} : { requestBody: requestBody(doc, describe) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(doc.answers).map(([status, answer]) => [status, response(answer, describe)]),
      ),
      ...(doc.refusals
        ? Object.fromEntries(
            Object.entries(doc.refusals).map(([status, answer]) => [status, response(answer, describe)]),
          )
        : refusals(problemsOf(doc), describe)),
    },
  };
}

function requestBody({ body, example }: RouteDoc, describe: (schema: z.ZodType, io: "input") => Json): Json {
  if (body === "bytes") return { required: true, content: { "application/octet-stream": {} } };
  const media = { schema: describe(body!, "input"), ...(example === undefined ? {} : { example }) };
  return { content: { "application/json": media } };
}

function response(
  { what, body, orType, headers = [] }: AnswerDoc,
  describe: (schema: z.ZodType, io: "output") => Json,
): Json {
  const content = {
    ...(typeof body === "string"
      ? { [body]: {} }
      : body
        ? { "application/json": { schema: describe(body, "output") } }
        : {}),
    ...(orType ? { [orType]: {} } : {}),
  };
  return {
    description: what,
    ...(headers.length > 0
      ? { headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: "string" } }])) }
      : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function refusals(codes: ProblemCode[], describe: (schema: z.ZodType, io: "output") => Json): Json {
  const byStatus = Map.groupBy(codes, (code) => problemCodes[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map((code) => `\`${code}\`: ${problemCodes[code][1]}`).join("\n"),
        content: { "application/problem+json": { schema: describe(problem, "output") } },
      },
    ]),
  );
}

/** A schema, with those that have a name put among the components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _dialect, $defs = {}, ...own } = JSON.parse(text) as Json & { $defs?: Json };
  Object.assign(components, $defs);
  const name = schema.meta()?.id;
  if (name === undefined) return own;
  components[name] = own;
  return { $ref: `#/components/schemas/${name}` };
}

function operationId(doc: RouteDoc): string {
  const { method, path } = partsOf(doc);
  const words = path
    .replace(/^\/v1/, "")
    .split(/[/{}.-]+/)
    .filter((word) => word !== "");
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

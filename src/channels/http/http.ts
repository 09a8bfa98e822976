import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import packageJson from "../../../package.json" with { type: "json" };
import { ConfigError } from "../../config/environment.ts";
import { mayDo, type Caller } from "../../keys/key.ts";
import type { ChannelEnv, Deployment } from "../channel.ts";
import { artifactRoutes } from "./artifacts.ts";
import { authenticate } from "./authenticate.ts";
import { documentRoutes } from "./documents.ts";
import { eventRoutes } from "./events.ts";
import { messageRoutes } from "./messages.ts";
import { experienceRoutes } from "./experiences.ts";
import { exportRoutes } from "./export.ts";
import { fileRoutes } from "./files.ts";
import { forkRoutes } from "./fork.ts";
import { idempotent } from "./idempotent.ts";
import { importRoutes } from "./import.ts";
import { learnRoutes } from "./learn.ts";
import { limitHeaders } from "./limit-headers.ts";
import { observe } from "./observe.ts";
import { openApiDocument } from "./openapi/document.ts";
import { referencePage } from "./openapi/reference-page.ts";
import { routeDocs } from "./openapi/routes.ts";
import type { RouteDoc } from "../route-doc.ts";
import { HttpProblem, problemResponse } from "./problem.ts";
import { limitRequests } from "./quotas.ts";
import { roundRoutes } from "./rounds.ts";
import { scopeOf } from "./scopes.ts";
import { sharedStateRoutes } from "./shared-state.ts";
import { sessionRoutes } from "./sessions.ts";
import { verifyLink } from "./signed-link.ts";
import { usageRoutes } from "./usage.ts";

export type HttpEnv = ChannelEnv;

/** A channel whose routes lie under the API's authentication, and whose clients read errors in a form of their own. */
export interface ApiChannel {
  routes: Hono<ChannelEnv>;
  docs: RouteDoc[];
  owns(path: string): boolean;
  errorBody(error: { status: number; code: string; message: string }): unknown;
}

const FILE = /^\/v1\/sessions\/[^/]+\/files\/[^/]+$/;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Lets pages of these origins call from a browser: with a key, never with cookies. */
const corsFor = (origins: string[]) =>
  cors({
    origin: origins.includes("*") ? "*" : origins,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposeHeaders: ["ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing"],
    maxAge: 3600,
  });

/** The API: who is there, what they want, and what came of it. */
export function createHttp(deploymentOf: (env: Env) => Deployment, channels: ApiChannel[] = []) {
  const http = new Hono<HttpEnv>();
  const docs = [...routeDocs, ...channels.flatMap((channel) => channel.docs)];
  const isLogged = (env: Env) => {
    try {
      return deploymentOf(env).config.http.logRequests;
    } catch {
      // Misconfigured: the answer says so.
      return true;
    }
  };

  http.use("/v1/*", observe(isLogged));
  http.use(limitHeaders);

  http.get("/health", (c) => c.json({ status: "ok", version: packageJson.version }));

  let document: object | undefined;
  http.get("/openapi.json", (c) => c.json((document ??= openApiDocument(docs, packageJson.version))));

  http.get("/docs", (c) => {
    const { html, policy } = referencePage(crypto.randomUUID());
    return c.html(html, 200, { "content-security-policy": policy, "x-content-type-options": "nosniff" });
  });

  http.use("/v1/*", (c, next) => {
    const { corsOrigins } = deploymentOf(c.env).config.http;
    return corsOrigins.length === 0 ? next() : corsFor(corsOrigins)(c, next);
  });

  http.use("/v1/*", async (c, next) => {
    const deployment = deploymentOf(c.env);
    const linked = await verifyLink(c.req.raw, deployment.config.http.linkSecret);
    const caller: Caller =
      linked === undefined
        ? await authenticate(c.req.raw, deployment)
        : { tenant: linked, keyId: "link", scopes: ["read"] };
    c.set("caller", caller);
    c.set("tenant", caller.tenant);
    c.set("deployment", { ...deployment, ...deployment.counting(c.var.spent) });
    const scope = scopeOf(c.req.method, c.req.path);
    if (!mayDo(caller, scope)) {
      throw new HttpProblem(403, "scope_missing", `This key may not do that: it needs the scope "${scope}".`);
    }
    await next();
  });

  http.use("/v1/*", limitRequests);

  const limitBody = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new HttpProblem(413, "body_too_large", `The body is over ${MAX_BODY_BYTES} bytes.`);
    },
  });
  // A file goes through to where it is kept, and has a limit of its own.
  http.use("/v1/*", (c, next) =>
    c.req.method === "PUT" && FILE.test(c.req.path) ? next() : limitBody(c, next),
  );
  http.use("/v1/*", idempotent);

  const api = http
    .route("/", sessionRoutes)
    .route("/", messageRoutes)
    .route("/", roundRoutes)
    .route("/", eventRoutes)
    .route("/", sharedStateRoutes)
    .route("/", artifactRoutes)
    .route("/", fileRoutes)
    .route("/", usageRoutes)
    .route("/", exportRoutes)
    .route("/", importRoutes)
    .route("/", forkRoutes)
    .route("/", experienceRoutes)
    .route("/", learnRoutes)
    .route("/", documentRoutes)
    .get("/v1/roles", (c) =>
      c.json({
        data: [...c.var.deployment.roles.values()].map(({ name, alias, intro }) => ({ name, alias, intro })),
      }),
    )

    .get("/v1/plugins", (c) =>
      c.json({
        data: c.var.deployment.config.plugins.map(({ spec: { name, description, parameters, returns } }) => ({
          name,
          description,
          parameters,
          returns,
        })),
      }),
    )

    .get("/v1/config", (c) => c.json(c.var.deployment.config.shown));
  for (const { routes } of channels) http.route("/", routes);

  refuseOtherMethods(http);

  http.notFound((c) =>
    problemResponse(
      new HttpProblem(404, "unknown_route", `There is nothing at ${c.req.path.slice(0, 200)}.`),
    ),
  );

  http.onError((error, c) => {
    const problem = toProblem(error, c.var.requestId);
    const channel = channels.find(({ owns }) => owns(c.req.path));
    if (!channel) return problemResponse(problem);
    const { status, code, message, headers } = problem;
    return Response.json(channel.errorBody({ status, code, message }), { status, headers });
  });

  return api;
}

function toProblem(error: Error, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof ConfigError) return new HttpProblem(503, error.code, error.message);
  console.error(`The request ${requestId} failed.`, error);
  return new HttpProblem(500, "internal_error", "The request failed. The server's log says why.");
}
/** The type of the API, for Hono's typed client: `hc<Api>(url)`. */
export type Api = ReturnType<typeof createHttp>;

/** What exists under another method is told apart from what doesn't exist. */
function refuseOtherMethods(http: Hono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of http.routes) {
    if (method !== "ALL") methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  for (const [path, allowed] of methods) {
    http.all(path, (c) => {
      const allow = [...allowed].join(", ");
      throw new HttpProblem(
        405,
        "method_not_allowed",
        `${c.req.method} is not possible here, but ${allow} is.`,
        {
          headers: { allow },
        },
      );
    });
  }
}

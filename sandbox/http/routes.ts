import type { IncomingMessage, ServerResponse } from "node:http";
import type { Contexts } from "../contexts.ts";
import type { Engines } from "../engines/engines.ts";
import { SandboxError } from "../errors.ts";
import { PROTOCOL } from "../protocol.ts";
import {
  MAXIMUM_CODE,
  MAXIMUM_TIMEOUT_MS,
  parseCallAnswer,
  parseContextRequest,
  parseExecutionRequest,
} from "../requests.ts";
import { MAXIMUM_FILE } from "../working-folder.ts";
import { readJson } from "./body.ts";
import { handleFiles } from "./file-routes.ts";
import { checkId, pathSegments } from "./path.ts";
import { sendJson } from "./send.ts";
import { sendEvents } from "./stream.ts";

export interface RouteOptions {
  engines: Engines;
  contexts: Contexts;
  authenticate: (request: IncomingMessage) => void;
  /** As /v1/info shows them. */
  limits: Record<string, number>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The protocol's calls. A refusal is thrown; the server turns it into an answer. */
export function createRoutes({ engines, contexts, authenticate, limits }: RouteOptions): Handler {
  return async (request, response) => {
    const [version, resource, id, part, ...rest] = pathSegments(request.url ?? "/");
    const { method } = request;

    if (version === "health" && resource === undefined && method === "GET") {
      return sendJson(response, 200, { status: "ok", protocol: PROTOCOL });
    }
    authenticate(request);
    if (version !== "v1") throw nothingHere();
    if (resource === "info" && id === undefined && method === "GET") {
      return sendJson(response, 200, describe(engines, limits));
    }
    if (resource !== "contexts" || id === undefined) throw nothingHere();
    checkId(id);

    if (part === undefined) return await handleContext(request, response, id);
    if (part === "files") {
      const context = await contexts.getStored(id);
      context.touch();
      return await handleFiles(request, response, context.files, rest);
    }
    if (part === "executions") return await handleExecutions(request, response, id, rest);
    if (rest.length > 0) throw nothingHere();
    return await handleAction(request, response, id, part);
  };

  async function handleContext(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<void> {
    if (request.method === "PUT") {
      const wanted = parseContextRequest(await readJson(request));
      const { context, created } = await contexts.attach(id, wanted);
      return sendJson(response, created ? 201 : 200, context.info(created));
    }
    if (request.method === "GET") return sendJson(response, 200, contexts.get(id).info());
    if (request.method === "DELETE") {
      await contexts.delete(id);
      return void response.writeHead(204).end();
    }
    throw notAllowed();
  }

  async function handleExecutions(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    rest: string[],
  ): Promise<void> {
    const [executionId, ...more] = rest;
    if (executionId === undefined) {
      if (request.method !== "POST") throw notAllowed();
      const body = parseExecutionRequest(await readJson(request));
      const context = await contexts.forExecution(id, body.execution_id, body.generation);
      return sendEvents(response, context.begin(body), body.after ?? 0);
    }
    const [calls, callId, ...beyond] = more;
    if (calls === "calls" && callId !== undefined && beyond.length === 0) {
      if (request.method !== "POST") throw notAllowed();
      const answer = parseCallAnswer(await readJson(request));
      contexts.get(id).answerCall(executionId, callId, answer);
      return void response.writeHead(204).end();
    }
    if (more.length > 0) throw nothingHere();
    if (request.method !== "GET") throw notAllowed();
    const context = await contexts.getStored(id);
    const found = context.find(executionId);
    if (!found) {
      throw new SandboxError("execution_not_found", `${JSON.stringify(executionId)} never ran here.`);
    }
    const after = Number(new URL(request.url ?? "/", "http://sandbox").searchParams.get("after") ?? 0);
    // A running one is followed to its end, like a POST of the same id.
    sendEvents(response, found, Number.isInteger(after) ? after : 0);
  }

  async function handleAction(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    action: string,
  ): Promise<void> {
    if (!["interrupt", "reset", "touch", "suspend"].includes(action)) throw nothingHere();
    if (request.method !== "POST") throw notAllowed();
    const context = contexts.get(id);
    if (action === "suspend" && !(await context.suspend())) {
      const message =
        "There is no interpreter, or its memory can't be kept: its engine can't do that, or it holds an object of JavaScript or a package's machine code.";
      throw new SandboxError("not_suspendable", message);
    }
    if (action === "interrupt") context.interrupt();
    if (action === "touch") context.touch();
    if (action === "reset") await context.reset();
    sendJson(response, action === "interrupt" ? 202 : 200, context.info());
  }
}

const describe = (engines: Engines, limits: RouteOptions["limits"]) => ({
  protocol: PROTOCOL,
  engine: engines.default.name,
  python: engines.default.python,
  packages: engines.default.packages,
  caps: { shell: engines.default.shell },
  engines: engines.list(),
  limits: {
    ...limits,
    max_code_characters: MAXIMUM_CODE,
    max_timeout_ms: MAXIMUM_TIMEOUT_MS,
    max_file_bytes: MAXIMUM_FILE,
  },
});

const nothingHere = () => new SandboxError("not_found", "There is nothing at this path.");
const notAllowed = () => new SandboxError("method_not_allowed", "This path doesn't know that method.");

import type { MiddlewareHandler } from "hono";
import type { IdempotentRequests, KeyedRequest } from "../../idempotency/idempotency.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";

/** What of an answer is told again; the rest is of the request at hand. */
const KEPT_HEADERS = ["content-type", "location"];

/**
 * A POST with an Idempotency-Key has its effect once: sent again, it gets the first one's answer. Only what came of
 * something is kept; a request that was refused may be mended and sent again under its key.
 */
export const idempotent: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const key = c.req.header("idempotency-key");
  if (key === undefined || c.req.method !== "POST") return next();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new HttpProblem(
      400,
      "invalid_idempotency_key",
      "Idempotency-Key takes 1 to 255 visible ASCII characters.",
    );
  }
  const { idempotentRequests } = c.var.deployment;
  const request = { tenant: c.var.tenant, key, fingerprint: await fingerprintOf(c.req.raw) };
  const outcome = await idempotentRequests.claim(request);
  switch (outcome.kind) {
    case "other_request":
      throw new HttpProblem(
        422,
        "idempotency_key_reused",
        "This Idempotency-Key came with another request. Use a new key for each.",
      );
    case "in_progress":
      throw new HttpProblem(
        409,
        "idempotency_in_progress",
        "The first request with this Idempotency-Key is still being worked on. Ask again in a moment.",
        { headers: { "retry-after": "1" } },
      );
    case "answered": {
      const { status, headers, body } = outcome.answer;
      return new Response(body, { status, headers: { ...headers, "idempotency-replayed": "true" } });
    }
    case "claimed":
      break;
    default:
      outcome satisfies never;
  }
  const { claim } = outcome;
  c.set("claim", claim);
  await next();
  if (!c.res.ok) {
    // A server's error tells nothing of what was done, and neither does a refusal of who has joined another's work.
    const isNothing = c.res.status < 500 && outcome.isFirst;
    await (isNothing
      ? idempotentRequests.forget(request, claim)
      : idempotentRequests.handOver(request, claim));
    return undefined;
  }
  await keepAnswer({
    response: c.res,
    request,
    claim,
    idempotentRequests,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    replace: (response) => (c.res = response),
  });
  return undefined;
};

async function keepAnswer(options: {
  response: Response;
  request: KeyedRequest;
  claim: string;
  idempotentRequests: IdempotentRequests;
  waitUntil(work: Promise<void>): void;
  replace(response: Response): void;
}): Promise<void> {
  const { response, request, claim, idempotentRequests, waitUntil, replace } = options;
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const copy = response.clone();
  const kept = copy
    .text()
    .then((body) => idempotentRequests.keep(request, claim, { status: response.status, headers, body }));
  // Events reach the client as they come; what they were is known at their end.
  if ((headers["content-type"] ?? "").startsWith("text/event-stream")) {
    waitUntil(kept);
    return replace(response);
  }
  await kept;
}

async function fingerprintOf(request: Request): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const body = new Uint8Array(await request.clone().arrayBuffer());
  return sha256Hex(JSON.stringify([request.method, pathname, search, await sha256Hex(body)]));
}

import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Spent } from "../channel.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";

/**
 * Names the request, says with the answer where its time went, and writes one line about it: who asked for what and what
 * came of it, by ids. Nothing that anybody wrote is in it.
 */
export function observe(isLogged: (env: Env) => boolean): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = Date.now();
    const requestId = requestIdOf(c.req.raw);
    const spent: Spent = { d1Ms: 0, sessionMs: 0 };
    c.set("spent", spent);
    c.set("requestId", requestId);
    await next();
    const ms = Date.now() - started;
    // A WebSocket's answer is the object's own and stays as it is.
    if (c.res.status !== 101) {
      c.res.headers.set("x-request-id", requestId);
      c.res.headers.set("server-timing", serverTiming(spent, ms));
    }
    if (!isLogged(c.env)) return;
    const { caller, roundId } = c.var;
    console.log(
      JSON.stringify({
        event: "request",
        request_id: requestId,
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        code: c.error instanceof HttpProblem ? c.error.code : undefined,
        ms,
        d1_ms: spent.d1Ms,
        session_ms: spent.sessionMs,
        tenant: caller?.tenant,
        key: caller?.keyId,
        session_id: c.req.param("id"),
        round_id: roundId ?? c.req.param("rid"),
      }),
    );
  };
}

/** The client's own name for it where it has one, else Cloudflare's. */
function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id") ?? request.headers.get("cf-ray");
  return given !== null && /^[\w.:-]{1,100}$/.test(given) ? given : crypto.randomUUID();
}

function serverTiming({ d1Ms, sessionMs, receipt }: Spent, total: number): string {
  const parts: [string, number | undefined][] = [
    ["total", total],
    ["db", d1Ms],
    ["do", sessionMs],
    ["model", receipt?.modelMs],
    ["sandbox", receipt?.sandboxMs],
    ["queue", receipt?.queueMs],
  ];
  return parts
    .flatMap(([name, ms]) => (ms === undefined ? [] : [`${name};dur=${Math.max(0, Math.round(ms))}`]))
    .join(", ");
}

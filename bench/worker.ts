import { bareRound } from "./bare-round.ts";
import worker from "../src/index.ts";
import { withBatch } from "../src/lib/with-batch.ts";

export { QuotaObject, RoundRunner, SessionObject } from "../src/index.ts";

/**
 * The deployment's Worker with yardsticks beside it (`/bench/empty`, `/bench/d1`, `/bench/object`,
 * `/bench/bare-round`), and with a database
 * that is further away for requests that carry `x-bench-d1-delay`.
 */
export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/bench/empty":
        return Response.json({});
      case "/bench/d1":
        return Response.json(await env.DB.prepare("SELECT id FROM sessions LIMIT 1").first());
      case "/bench/object": {
        const object = env.SESSIONS.getByName("bench");
        return Response.json(await object.findRequest({ version: 1, roundId: "none" }));
      }
    }
    if (pathname === "/bench/bare-round") return bareRound(env);
    const delay = Number(request.headers.get("x-bench-d1-delay") ?? 0);
    return worker.fetch(request as never, delay > 0 ? distant(env, delay) : env, context);
  },
} satisfies ExportedHandler<Env>;

/** One for each delay, as an isolate has one environment. */
const distantEnvironments = new Map<number, Env>();

function distant(env: Env, delay: number): Env {
  let found = distantEnvironments.get(delay);
  if (!found) {
    const batch: D1Database["batch"] = async (statements) => {
      await scheduler.wait(delay);
      return env.DB.batch(statements);
    };
    found = { ...env, DB: withBatch(env.DB as never, batch as never) as never };
    distantEnvironments.set(delay, found);
  }
  return found;
}

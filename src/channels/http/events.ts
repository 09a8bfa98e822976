import { Hono } from "hono";
import type { SessionEvent } from "../../events/event.ts";
import { wireSession } from "../../memory/wire.ts";
import { createEventStream } from "./event-stream.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";

/** So long nothing is said before a comment shows that the line is alive. */
const HEARTBEAT_MS = 15_000;

export const eventRoutes = new Hono<HttpEnv>().get("/v1/sessions/:id/events", async (c) => {
  const ref = { tenant: c.var.tenant, id: c.req.param("id") };
  const { store, sessionClient } = await c.var.deployment.messageServices(ref);
  const session = await store.getSession(ref);
  if (!session) throw sessionNotFound(ref.id);
  let after = parseLastEventId(c.req.header("last-event-id") ?? c.req.query("cursor"));
  /** For whoever asks for events that are gone: the session as it is. */
  const snapshot: SessionEvent = {
    session_id: ref.id,
    round_id: "",
    type: "snapshot",
    at: new Date().toISOString(),
    data: { session: wireSession(session) },
  };
  // Nobody reads what a HEAD would be told.
  if (c.req.method === "HEAD")
    return c.body(null, 200, { "content-type": "text/event-stream; charset=utf-8" });
  if (c.req.header("upgrade")?.toLowerCase() === "websocket") return sessionClient.watch({ after, snapshot });

  const stream = createEventStream();
  async function tell(): Promise<void> {
    const first = await sessionClient.eventsAfter({ after, waitMs: 0 });
    if (first.forgotten) stream.write(snapshot);
    for (let { events } = first; stream.isOpen();) {
      for (const event of events) {
        stream.write(event);
        after = event.id!;
      }
      ({ events } = await sessionClient.eventsAfter({ after, waitMs: HEARTBEAT_MS }));
      if (events.length === 0) stream.comment("still here");
    }
  }
  c.executionCtx.waitUntil(tell().then(stream.end, stream.end));
  return stream.response();
});

function parseLastEventId(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 0) {
    throw new HttpProblem(
      400,
      "invalid_last_event_id",
      "Last-Event-ID must be the id of an event: a whole number.",
    );
  }
  return id;
}

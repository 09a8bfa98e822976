import * as z from "zod";
import type { ExecutionEvent, OutsideCall } from "./sandbox.ts";

// What the reference server and the Python that drivers bring along say while code runs. Unknown events and keys are
// passed over, so that newer ones serve us too.

const mimeBundle = z.record(z.string(), z.string()).catch({});

const eventWire = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), generation: z.string() }),
  z.object({ type: z.literal("stdout"), text: z.string() }),
  z.object({ type: z.literal("stderr"), text: z.string() }),
  z.object({ type: z.literal("display"), data: mimeBundle }),
  z.object({ type: z.literal("result"), text: z.string(), data: mimeBundle }),
  z.object({
    type: z.literal("artifact"),
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    file: z.string(),
    mime: z.string(),
    size: z.number(),
    description: z.string().catch(""),
    preview: z.string().catch(""),
  }),
  z.object({ type: z.literal("log"), level: z.string(), tag: z.string(), message: z.string() }),
  z.object({ type: z.literal("error"), name: z.string(), message: z.string(), traceback: z.string() }),
  z.object({ type: z.literal("session_var"), name: z.string(), value: z.string() }),
  z.object({
    type: z.literal("call"),
    call_id: z.string(),
    name: z.string(),
    args: z.array(z.unknown()).catch([]),
    kwargs: z.record(z.string(), z.unknown()).catch({}),
    answered: z.boolean().catch(false),
  }),
  z.object({
    type: z.literal("done"),
    status: z.enum(["success", "failure", "timeout", "interrupted"]),
    duration_ms: z.number().catch(0),
    files_changed: z.array(z.object({ path: z.string(), size: z.number() })).catch([]),
    variables: z.array(z.object({ name: z.string(), type: z.string(), summary: z.string() })).catch([]),
  }),
  z.object({ type: z.literal("lost"), reason: z.string().catch("unknown") }),
]);

/** One event of an execution; undefined for what we have no use for (`ping`, events of later protocols). */
export function parseExecutionEvent(
  json: unknown,
): { seq?: number; event?: ExecutionEvent; call?: OutsideCall } | undefined {
  const parsed = eventWire.safeParse(json);
  if (!parsed.success) return undefined;
  const seq = z.object({ seq: z.number() }).safeParse(json).data?.seq;
  const at = seq === undefined ? {} : { seq };
  if (parsed.data.type === "call") {
    const { call_id: callId, name, args, kwargs, answered } = parsed.data;
    return answered ? at : { ...at, call: { callId, name, args, kwargs } };
  }
  if (parsed.data.type !== "done") return { ...at, event: parsed.data };
  const { status, duration_ms, files_changed, variables } = parsed.data;
  return {
    ...at,
    event: { type: "done", status, durationMs: duration_ms, filesChanged: files_changed, variables },
  };
}

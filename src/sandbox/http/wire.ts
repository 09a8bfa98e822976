import * as z from "zod";
import type { ContextInfo, ExecutionEvent, OutsideCall } from "../sandbox.ts";

// Lenient on what a server sends: unknown keys and events are passed over, so that a newer server serves us too.

export const contextWire = z
  .object({
    generation: z.string(),
    created: z.boolean().optional(),
    plugins: z
      .array(z.object({ name: z.string(), ok: z.boolean(), error: z.string().optional() }))
      .optional(),
  })
  .transform((context): ContextInfo => ({
    generation: context.generation,
    created: context.created ?? false,
    plugins: context.plugins ?? [],
  }));

export const infoWire = z
  .object({ caps: z.object({ shell: z.boolean().catch(false) }).catch({ shell: false }) })
  .transform(({ caps }) => caps);

export const filesWire = z.object({ files: z.array(z.object({ path: z.string() })) });

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

/** One line of an execution's stream; undefined for what we have no use for (`ping`, events of later protocols). */
export function parseExecutionEvent(
  line: string,
): { seq?: number; event?: ExecutionEvent; call?: OutsideCall } | undefined {
  const json: unknown = JSON.parse(line);
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

import { z } from "zod";

// What an engine process may say. Its Python could write anything to the device, so nothing passes that isn't here.

const mimeBundle = z.record(z.string(), z.string());
const text = z.string();

/** An event that goes on to the client as it is. */
export const cellEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stdout"), text }),
  z.object({ type: z.literal("stderr"), text }),
  z.object({ type: z.literal("display"), data: mimeBundle }),
  z.object({ type: z.literal("result"), text, data: mimeBundle }),
  z.object({
    type: z.literal("artifact"),
    id: text,
    name: text,
    kind: z.enum(["chart", "df", "file", "txt", "svg", "html", "image"]).catch("file"),
    file: text,
    mime: text,
    size: z.number(),
    description: text,
    preview: text,
  }),
  z.object({ type: z.literal("log"), level: text, tag: text, message: text }),
  z.object({ type: z.literal("session_var"), name: text, value: text }),
  z.object({
    type: z.literal("call"),
    call_id: text,
    name: text,
    args: z.array(z.unknown()),
    kwargs: z.record(z.string(), z.unknown()),
  }),
]);

/** The runner's last word about a cell. */
export const cellReport = z.object({
  type: z.literal("report"),
  status: z.enum(["success", "failure"]),
  interrupted: z.boolean(),
  error: z.object({ name: text, message: text, traceback: text }).optional(),
  truncated: z.boolean().optional(),
  files_changed: z.array(z.object({ path: text, size: z.number(), mtime: z.number() })),
  variables: z.array(z.object({ name: text, type: text, summary: text })),
});

export const configured = z.object({
  type: z.literal("configured"),
  plugins: z.array(z.object({ name: text, ok: z.boolean(), error: text.optional() })),
});

export type CellReport = z.infer<typeof cellReport>;

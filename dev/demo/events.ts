import * as z from "zod";

const attachment = z.looseObject({
  id: z.string(),
  type: z.string(),
  // Most are text; a list of paths, say, is no text.
  content: z
    .unknown()
    .transform((content) => (typeof content === "string" ? content : JSON.stringify(content ?? ""))),
});

export const postSchema = z.looseObject({
  id: z.string(),
  send_from: z.string(),
  send_to: z.string(),
  message: z.string(),
  attachment_list: z.array(attachment).default([]),
});

export const roundSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  stop: z.string().nullish(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullish(),
  post_list: z.array(postSchema).default([]),
  usage: z
    .looseObject({
      model_calls: z.number().optional(),
      prompt_tokens: z.number().optional(),
      completion_tokens: z.number().optional(),
      total_ms: z.number().optional(),
    })
    .nullish(),
});

export type Post = z.infer<typeof postSchema>;
export type Round = z.infer<typeof roundSchema>;

const common = { round_id: z.string().nullish(), post_id: z.string().nullish() };
const event = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.looseObject({ ...common, type: z.literal(type), data });

export const eventSchema = z.discriminatedUnion("type", [
  event("round_queued", z.looseObject({ position: z.number() })),
  event("round_start", z.unknown()),
  event("post_start", z.looseObject({ role: z.string() })),
  event("post_status", z.looseObject({ status: z.string() })),
  event("post_send_to", z.looseObject({ send_to: z.string() })),
  event("post_message", z.looseObject({ delta: z.string() })),
  event(
    "post_attachment",
    z.looseObject({ attachment_id: z.string(), attachment_type: z.string(), delta: z.string() }),
  ),
  event("post_error", z.looseObject({ message: z.string() })),
  event("post_end", z.looseObject({ post: postSchema })),
  event("execution_output", z.looseObject({ stream: z.string(), text: z.string() })),
  event(
    "artifact",
    z.looseObject({ name: z.string(), mime: z.string().nullish(), size: z.number().nullish() }),
  ),
  event("round_end", z.looseObject({ round: roundSchema })),
  event("round_error", z.looseObject({ code: z.string(), message: z.string() })),
  event("warning", z.looseObject({ code: z.string(), message: z.string() })),
]);

export type DemoEvent = z.infer<typeof eventSchema>;

/** An event that the demo shows; undefined for one of another type, which a newer server may send. */
export function parseEvent(data: string): DemoEvent | undefined {
  try {
    return eventSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined; // No JSON: a comment of a proxy, at best.
  }
}

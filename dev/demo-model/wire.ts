import * as z from "zod";

export const MODEL_NAME = "taskweaver-demo";

const contentSchema = z
  .union([z.string(), z.null(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .optional()
  .transform((content) => {
    if (typeof content === "string") return content;
    return (content ?? []).map((part) => part.text ?? "").join("");
  });

/** What is read of a chat completion request; everything else that OpenAI defines is accepted and ignored. */
export const chatRequestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ name: z.string(), schema: z.unknown() }).optional(),
    })
    .nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest["messages"][number];

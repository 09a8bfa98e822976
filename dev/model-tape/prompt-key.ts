import { createHash } from "node:crypto";
import * as z from "zod";
import { redact } from "../../src/llm/redact.ts";

export interface PromptMessage {
  role: string;
  content: string;
}

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
});

/** What a tape reads of a chat request. */
export const chatRequest = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(part), z.null()]).optional() }),
  ),
});

/** The messages as a tape keeps them: text alone, without secrets; a picture by its digest. */
export function promptOf({ messages }: z.infer<typeof chatRequest>, secrets: string[]): PromptMessage[] {
  return messages.map(({ role, content }) => {
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
    const shown = parts.map(({ text = "", image_url: image }) => (image ? describeImage(image.url) : text));
    return { role, content: redact(shown.join("\n"), secrets) };
  });
}

const describeImage = (url: string) => `[image ${digest(url)}]`;

/**
 * By what a prompt is found again: its messages, without what differs from run to run, which are times and the ids that
 * are made of them.
 */
export function promptKey(prompt: PromptMessage[]): string {
  return digest(prompt.map(({ role, content }) => `${role}:${withoutRun(content)}`).join("\n"));
}

export const embeddingKey = (model: string, text: string): string => digest(`${model}:${text}`);

const ID = /\b[a-z]+-\d{8}-\d{6}-[0-9a-f]{8}(-\d+)?\b/g;
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC|[+-]\d\d:\d\d)?/g;

export const withoutRun = (text: string): string =>
  text.replaceAll(ID, "<id>").replaceAll(UUID, "<id>").replaceAll(TIME, "<time>");

const digest = (text: string): string => createHash("md5").update(text).digest("hex");

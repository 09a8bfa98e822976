import * as z from "zod";
import { parseFileName, InvalidFileNameError } from "../../files/files.ts";
import { ChatError } from "./error.ts";

const MAX_MESSAGES = 2000;

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const imagePart = z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) });
const filePart = z.object({
  type: z.literal("file"),
  file: z.object({
    filename: z.string().optional(),
    file_data: z.string().optional(),
    file_id: z.string().optional(),
  }),
});
const part = z.discriminatedUnion("type", [textPart, imagePart, filePart]);

const message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

/** What is read of a request. What else a client sends (temperature, tools, …) is the deployment's to choose. */
export const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1).max(MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, "only one answer is made").nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  /** Shows the plan and the progress beside the answer. */
  include_reasoning: z.boolean().nullish(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

export interface ChatFile {
  name: string;
  content: Uint8Array;
}

/** What is new in the request, and what went before it. */
export interface ReadMessages {
  message: string;
  files: ChatFile[];
  /** The texts of earlier messages, the deployment's own answers among them. */
  history: { role: "user" | "assistant"; text: string }[];
  instructions: string;
}

/** The last message is what is asked; it has to be the user's. */
export function readMessages({ messages }: ChatRequest): ReadMessages {
  const last = messages.at(-1)!;
  if (last.role !== "user") {
    throw new ChatError(400, "invalid_messages", "The last message must be the user's.", "messages");
  }
  const { text, files } = readContent(last.content, messages.length - 1);
  if (text.trim() === "") {
    throw new ChatError(
      400,
      "message_empty",
      "The last message holds no text: say what is to be done.",
      "messages",
    );
  }
  const earlier = messages.slice(0, -1);
  const textOf = ({ content }: ChatRequest["messages"][number]) => readContent(content, 0, false).text;
  return {
    message: text,
    files,
    instructions: earlier
      .filter(({ role }) => role === "system" || role === "developer")
      .map(textOf)
      .join("\n\n"),
    history: earlier.flatMap((entry) =>
      entry.role === "user" || entry.role === "assistant" ? [{ role: entry.role, text: textOf(entry) }] : [],
    ),
  };
}

function readContent(
  content: ChatRequest["messages"][number]["content"],
  index: number,
  withFiles = true,
): { text: string; files: ChatFile[] } {
  if (typeof content === "string") return { text: content, files: [] };
  const texts: string[] = [];
  const files: ChatFile[] = [];
  for (const [place, entry] of (content ?? []).entries()) {
    if (entry.type === "text") texts.push(entry.text);
    else if (withFiles) {
      const at = `messages[${index}].content[${place}]`;
      const file =
        entry.type === "file" ? readFile(entry.file, place, at) : readImage(entry.image_url.url, place, at);
      if (typeof file === "string") texts.push(file);
      else files.push(file);
    }
  }
  return { text: texts.join("\n"), files };
}

const extensions: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "text/csv": "csv",
  "text/plain": "txt",
};

/** An address stays text: whoever can do something with it may. */
function readImage(url: string, place: number, at: string): ChatFile | string {
  return url.startsWith("data:") ? readDataUrl(url, `image-${place + 1}`, at) : `Image: ${url}`;
}

function readFile(file: z.infer<typeof filePart>["file"], place: number, at: string): ChatFile {
  if (file.file_data === undefined) {
    throw new ChatError(400, "file_not_sent", "Files are sent along: give file_data, not file_id.", at);
  }
  const named = file.filename ?? `file-${place + 1}`;
  const read = readDataUrl(file.file_data, named, at);
  return file.filename === undefined ? read : { ...read, name: checkName(file.filename, at) };
}

/** `data:<type>;base64,<bytes>`, or the bare base64. */
function readDataUrl(url: string, name: string, at: string): ChatFile {
  const [, type, bare] = /^(?:data:([^;,]*)(?:;[^,]*)?,)?(.*)$/s.exec(url) ?? [];
  try {
    const content = Uint8Array.fromBase64(bare ?? "");
    const extension = type === undefined ? undefined : extensions[type];
    return { name: checkName(extension && !name.includes(".") ? `${name}.${extension}` : name, at), content };
  } catch (error) {
    if (error instanceof ChatError) throw error;
    throw new ChatError(400, "invalid_file", "The data is no base64.", at);
  }
}

function checkName(name: string, at: string): string {
  try {
    return parseFileName(name);
  } catch (error) {
    if (!(error instanceof InvalidFileNameError)) throw error;
    throw new ChatError(400, error.code, error.message, at);
  }
}

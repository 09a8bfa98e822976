import { createId } from "../lib/id.ts";

/** The types that TaskWeaver knows. Roles may add their own: an attachment's type is free text. */
export const attachmentTypes = [
  "plan_reasoning",
  "init_plan",
  "plan",
  "current_plan_step",
  "stop",
  "thought",
  "reply_type",
  "reply_content",
  "verification",
  "code_error",
  "execution_status",
  "execution_result",
  "artifact_paths",
  "revise_message",
  "function",
  "web_exploring_plan",
  "web_exploring_screenshot",
  "web_exploring_link",
  "invalid_response",
  "text",
  "shared_memory_entry",
  "image_url",
  "board",
  "signal",
] as const;

export interface Attachment {
  id: string;
  type: string;
  /** A list only for `artifact_paths`, as in TaskWeaver. */
  content: string | string[];
  extra?: unknown;
}

export function createAttachment(type: string, content: string | string[], extra?: unknown): Attachment {
  return { id: createId("atta"), type, content, ...(extra === undefined ? {} : { extra }) };
}

export function attachmentText(attachment: Attachment): string {
  return Array.isArray(attachment.content) ? attachment.content.join(", ") : attachment.content;
}

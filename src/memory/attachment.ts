import { createId } from "../lib/id.ts";

export interface Attachment {
  id: string;
  /** TaskWeaver's types or one of a role's own: free text. */
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

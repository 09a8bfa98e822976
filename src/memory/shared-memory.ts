import { createId } from "../lib/id.ts";
import { createAttachment, type Attachment } from "./attachment.ts";

export type SharedMemoryScope = "round" | "conversation";

/** What a role shares on purpose. It rides in the `extra` of an attachment, so that it goes with its round. */
export interface SharedMemoryEntry {
  type: string;
  content: string;
  scope: SharedMemoryScope;
  id: string;
}

/** An entry together with the role that shared it. */
export type SharedEntry = SharedMemoryEntry & { role: string };

export const SHARED_MEMORY_ENTRY = "shared_memory_entry";

export function sharedMemoryAttachment(entry: Omit<SharedMemoryEntry, "id">): Attachment {
  return createAttachment(SHARED_MEMORY_ENTRY, entry.content, { ...entry, id: createId("sme") });
}

import { createId } from "../lib/id.ts";
import { createAttachment, type Attachment } from "./attachment.ts";
import type { Round } from "./round.ts";

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

/**
 * The entries in force for the last of the given rounds: its own round-scoped ones and all conversation-scoped ones of
 * rounds that did not fail; of one role and type only the latest; newest last.
 */
export function sharedEntriesInForce(rounds: Round[]): SharedEntry[] {
  const current = rounds.at(-1);
  const inForce = new Map<string, SharedEntry>();
  for (const round of rounds) {
    if (round.state === "failed") continue;
    for (const post of round.posts) {
      for (const attachment of post.attachments) {
        if (attachment.type !== SHARED_MEMORY_ENTRY) continue;
        const entry = attachment.extra as SharedMemoryEntry;
        if (entry.scope !== "conversation" && round !== current) continue;
        const key = JSON.stringify([post.sendFrom, entry.type]);
        inForce.delete(key);
        inForce.set(key, { ...entry, role: post.sendFrom });
      }
    }
  }
  return [...inForce.values()];
}

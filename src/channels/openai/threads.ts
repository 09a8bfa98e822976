import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sha256Hex } from "../../lib/digest.ts";
import type { SessionRef } from "../../memory/session.ts";
import type { ChatThreads, ThreadPlace } from "../channel.ts";
import { chatThreads } from "./tables.ts";

/** What names a conversation for a client that sends all of it each time. */
export function digestOf(
  model: string,
  instructions: string,
  messages: { role: string; text: string }[],
): Promise<string> {
  return sha256Hex(
    JSON.stringify([model, instructions, messages.map(({ role, text }) => [role, text.trim()])]),
  );
}

export function createChatThreads(database: D1Database): ChatThreads {
  const db = drizzle(database);
  return {
    async find(tenant, digest): Promise<ThreadPlace | undefined> {
      const [[found]] = await db.batch([
        db
          .select({ sessionId: chatThreads.sessionId, roundId: chatThreads.roundId })
          .from(chatThreads)
          .where(and(eq(chatThreads.tenant, tenant), eq(chatThreads.digest, digest))),
      ]);
      return found;
    },
    async keep(tenant, digest, place) {
      const row = { ...place, createdAt: Date.now() };
      await db.batch([
        db
          .insert(chatThreads)
          .values({ tenant, digest, ...row })
          .onConflictDoUpdate({ target: [chatThreads.tenant, chatThreads.digest], set: row }),
      ]);
    },
    async forget({ tenant, id }: SessionRef) {
      await db.batch([
        db.delete(chatThreads).where(and(eq(chatThreads.tenant, tenant), eq(chatThreads.sessionId, id))),
      ]);
    },
  };
}

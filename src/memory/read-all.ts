import type { Round } from "./round.ts";
import type { SessionRef } from "./session.ts";
import type { ConversationStore } from "./store.ts";

/** All rounds of a session, oldest first. */
export async function readAllRounds(store: ConversationStore, ref: SessionRef): Promise<Round[]> {
  const newestFirst: Round[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listRounds(ref, { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    newestFirst.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return newestFirst.toReversed();
}

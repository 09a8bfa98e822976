import { factsOfRounds, lastSaid } from "../memory/shared-state.ts";
import type { Conversation } from "../memory/store.ts";
import type { ExperienceStore } from "./d1-experiences.ts";
import { toRawConversation } from "./raw-conversation.ts";
import { EXPERIENCE_SIGNAL, EXPERIENCE_SUB_PATH, selectSubPath } from "./select-sub-path.ts";

/**
 * Takes a round that went well to draw a lesson from, for all roles, in the folder that was chosen when it ended. The
 * same round taken twice is one lesson. False for a round that didn't come to its end.
 */
export async function learnFromRound(
  { session, rounds, outside }: Conversation,
  roundId: string,
  store: Pick<ExperienceStore, "addRaw">,
): Promise<boolean> {
  const round = rounds.find(({ id }) => id === roundId);
  if (round?.state !== "finished") return false;
  const facts = [...factsOfRounds(rounds), ...outside].filter(({ roundSeq }) => roundSeq <= round.seq);
  const { subPath } = selectSubPath({
    named: undefined,
    isDynamic: true,
    lastSaid: lastSaid(facts, round.seq, { signal: EXPERIENCE_SIGNAL, entry: EXPERIENCE_SUB_PATH }),
  });
  const raw = toRawConversation(session.id, [round], { thin: true });
  await store.addRaw({ role: null, subPath: subPath ?? "", raw, sessionId: session.id, name: round.id });
  return true;
}

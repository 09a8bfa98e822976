import { and, eq } from "drizzle-orm";
import type { SessionRef } from "./session.ts";
import type { RoundPosition } from "./store.ts";
import { outsideSignals, posts, rounds, sessions } from "./tables.ts";

// Which rows belong to a session.

export const ofSession = (ref: SessionRef) => and(eq(sessions.tenant, ref.tenant), eq(sessions.id, ref.id));
export const roundsOf = (ref: SessionRef) => and(eq(rounds.tenant, ref.tenant), eq(rounds.sessionId, ref.id));
export const outsideOf = (ref: SessionRef) =>
  and(eq(outsideSignals.tenant, ref.tenant), eq(outsideSignals.sessionId, ref.id));
export const postsOf = (ref: SessionRef) => and(eq(posts.tenant, ref.tenant), eq(posts.sessionId, ref.id));

/** The round, as long as the writer's lease holds and it hasn't ended. */
export function held(ref: SessionRef, at: RoundPosition) {
  return and(
    eq(rounds.tenant, ref.tenant),
    eq(rounds.sessionId, ref.id),
    eq(rounds.seq, at.roundSeq),
    eq(rounds.fence, at.fence),
    eq(rounds.state, "created"),
  );
}

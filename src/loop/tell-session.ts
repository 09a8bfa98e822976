import { postId } from "../lib/id.ts";
import type { Round } from "../memory/round.ts";
import { factsOfPost, factsOfRounds, withoutOverwritten } from "../memory/shared-state.ts";
import { wirePost } from "../memory/wire.ts";
import type { FactsReport, News } from "../session/session.ts";
import type { RoundContext } from "./run-round.ts";

/**
 * Tells what earlier runners did not come to tell: that the round has started, and the Posts that are stored, whoever
 * stored them. What the lost runner's last turn has said is taken back, since that turn is taken again.
 */
export async function tellWhatIsKnown(context: RoundContext, round: Round): Promise<void> {
  const { events, lease, sessionClient, usage } = context;
  if (!lease.told.started) events.emitWhenStored("round_start", { user_query: round.userQuery });
  for (const post of round.posts) {
    if (!lease.told.endedPosts.includes(post.id))
      events.emitWhenStored("post_end", { post: wirePost(post) }, post.id);
  }
  if (lease.attempt > 1 && round.state === "created") {
    const message = "The turn was interrupted and is taken again.";
    events.emitWhenStored("post_error", { message }, postId(round.id, round.posts.length));
  }
  const facts = factsReport(context, round, { replayed: true });
  takeIn(context, await sessionClient.commit({ fence: lease.fence, events: events.take(), facts, usage }));
  events.stored();
}

/** What came from outside holds for the turns that are still to be taken. */
export function takeIn({ session, outside }: RoundContext, { facts, variables }: News): void {
  outside.push(...facts);
  if (!variables) return;
  session.variables = variables.values;
  session.variablesVersion = variables.version;
}

/** Keeps variables that were set by code, and has everybody know them who works with the session. */
export async function setVariables(context: RoundContext, changes: Record<string, string>): Promise<void> {
  const merged = await context.store.mergeVariables(context.session, changes);
  if (!merged) return; // the session was deleted meanwhile
  const variables = { version: merged.variablesVersion, values: merged.variables };
  await context.sessionClient.tellOutside({ facts: [], variables });
  takeIn(context, { facts: [], variables });
}

/** What the object that holds the shared state is to be told: all of the conversation, or its last Post. */
export function factsReport(
  { rounds, horizon, outside, session }: RoundContext,
  round: Round,
  { replayed = false, added = false }: { replayed?: boolean; added?: boolean },
): FactsReport {
  const seq = round.posts.length - 1;
  return {
    roundSeq: round.seq,
    ...(replayed
      ? {
          replayed: withoutOverwritten(
            [...(horizon?.facts ?? []), ...factsOfRounds(rounds), ...outside],
            round.seq,
          ),
        }
      : {}),
    ...(added ? { added: factsOfPost(round.seq, seq, round.posts[seq]!) } : {}),
    outsideSeen: Math.max(0, ...outside.map((fact) => (fact.kind === "signal" ? (fact.n ?? 0) : 0))),
    variables: { version: session.variablesVersion, values: session.variables },
  };
}

import type { RoundEvents } from "../events/event.ts";
import type { DocumentSource } from "../documents/document.ts";
import type { LessonSource } from "../experience/lessons.ts";
import type { SessionFiles } from "../files/files.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import { attachmentsOf, PLANNER, USER } from "../memory/post.ts";
import type { Round, Usage } from "../memory/round.ts";
import type { Session } from "../memory/session.ts";
import type { Horizon, RoleSummary } from "../memory/summary.ts";
import type { Fact } from "../memory/shared-state.ts";
import {
  interruptedError,
  StaleRunnerError,
  type ConversationStore,
  type NumberedPost,
  type RoundEnd,
  type RoundPosition,
} from "../memory/store.ts";
import { wirePost, wireRound } from "../memory/wire.ts";
import type { Lease, SessionClient } from "../session/session.ts";
import { takeTurns } from "./take-turns.ts";
import { factsReport, tellWhatIsKnown } from "./tell-session.ts";
import type { Abilities } from "./turn.ts";

export interface RoundLimits {
  /** Replies of roles in one round, self-corrections included. */
  maxReplies: number;
  timeMs: number;
  /** Tokens of the model, asked and answered, in one round and in all rounds of a session; undefined is no limit. */
  roundTokens?: number | undefined;
  sessionTokens?: number | undefined;
  /** A runner that isn't heard of for so long is taken for dead. */
  leaseMs: number;
}

/** What rounds of a session are run with, whoever runs them. */
export interface RoundServices {
  store: ConversationStore;
  sessionClient: SessionClient;
  files: SessionFiles;
  lessons: LessonSource;
  documents: DocumentSource;
  abilities: Abilities;
  /** Names the session's interpreter in the sandbox. */
  contextId: string;
  limits: RoundLimits;
  /** The round's receipt. */
  usage: Usage;
  /** Hears of each round that has ended; nothing that anybody wrote is in it. */
  log?: ((entry: Record<string, unknown>) => void) | undefined;
}

export interface RoundContext extends RoundServices {
  session: Session;
  /** The conversation as it was rebuilt; its last round is the one to run. */
  rounds: Round[];
  summaries: RoleSummary[];
  horizon?: Horizon;
  /** A summary could not be made; it isn't tried again in this round. */
  compressionFailed?: boolean;
  /** Signals set from outside; grows while the round runs. */
  outside: Fact[];
  lease: Lease;
  events: RoundEvents;
  abort: AbortSignal;
  /** Asked after each Post: true lets another runner go on from there. */
  shouldHandOver?: () => boolean;
}

/** So many runners may be lost over a round before it is given up. */
const MAX_ATTEMPTS = 6;

/**
 * Runs a round from its last stored Post to its end: who the Post goes to takes a turn, the Post of that turn is
 * stored, and so on until one goes to the User. What goes wrong on the way ends the round as failed, with a reason.
 * Undefined when the round was handed over. @throws StaleRunnerError when it was taken over.
 */
export async function runRound(context: RoundContext): Promise<Round | undefined> {
  const { events, rounds, session, lease, sessionClient } = context;
  const round = rounds.at(-1)!;
  const at: RoundPosition = { roundId: round.id, roundSeq: round.seq, fence: lease.fence };
  const opening = tellWhatIsKnown(context, round);
  if (round.state === "created") {
    const deadline = AbortSignal.timeout(Math.max(0, lease.startedAt + context.limits.timeMs - Date.now()));
    const abort = AbortSignal.any([context.abort, deadline]);
    let end: Pick<RoundEnd, "state" | "stop" | "error">;
    let last: NumberedPost | undefined;
    try {
      if (lease.attempt > MAX_ATTEMPTS) {
        await opening;
        throw new RoundFailure(interruptedError.code, interruptedError.message);
      }
      if (round.posts.at(-1)!.sendTo !== USER) {
        last = await takeTurns({ context, round, at, abort, opening });
        if (!last) return undefined;
        round.posts.push(last.post);
        events.emitWhenStored("post_end", { post: wirePost(last.post) }, last.post.id);
      }
      await opening;
      const stop = attachmentsOf(
        round.posts.findLast(({ sendFrom }) => sendFrom === PLANNER)!,
        "stop",
      ).at(-1);
      end = { state: "finished", ...(stop === undefined ? {} : { stop }) };
    } catch (error) {
      if (error instanceof StaleRunnerError) throw error;
      await opening;
      end = {
        state: "failed",
        error: explain(error, { aborted: context.abort.aborted, late: deadline.aborted }),
      };
    }
    const finishedAt = Date.now();
    context.usage.totalMs = finishedAt - round.createdAt;
    const usage = structuredClone(context.usage);
    Object.assign(round, end, { usage, finishedAt });
    await context.store.closeRound(session, at, { ...end, usage, finishedAt }, last);
  }
  context.log?.({
    tenant: session.tenant,
    session_id: session.id,
    round_id: round.id,
    state: round.state,
    error: round.error?.code,
    attempt: lease.attempt,
    usage: round.usage,
  });
  await opening;
  if (round.error) events.emitWhenStored("round_error", round.error);
  events.emitWhenStored("round_end", { round: wireRound(session.id, round) });
  await sessionClient.end({
    fence: lease.fence,
    events: events.take(),
    facts: factsReport(context, round, { added: true }),
    failed: round.state === "failed",
  });
  events.stored();
  return round;
}

function explain(error: unknown, { aborted, late }: { aborted: boolean; late: boolean }) {
  if (aborted) return { code: "cancelled", message: "The round was cancelled." };
  if (late) {
    return {
      code: "time_limit",
      message: "The round took longer than it may. Ask for less at once, or raise session.max_round_seconds.",
    };
  }
  if (error instanceof RoundFailure) return { code: error.code, message: error.message };
  console.error("A role failed.", error);
  return {
    code: "role_failed",
    message: "A role failed with an error that is in the server's log. Try again.",
  };
}

import type { RoundEvents } from "../events/event.ts";
import type { LessonSource } from "../experience/lessons.ts";
import type { SessionFiles } from "../files/files.ts";
import { postId } from "../lib/id.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import { attachmentsOf, PLANNER, USER } from "../memory/post.ts";
import type { Round, Usage } from "../memory/round.ts";
import type { Session } from "../memory/session.ts";
import {
  factsOfPost,
  factsOfRounds,
  stateOf,
  withoutOverwritten,
  type Fact,
} from "../memory/shared-state.ts";
import {
  interruptedError,
  StaleRunnerError,
  type ConversationStore,
  type RoundEnd,
  type RoundPosition,
} from "../memory/store.ts";
import { wirePost, wireRound } from "../memory/wire.ts";
import type { FactsReport, Lease, SessionClient } from "../session/session.ts";
import { castOf, checkStar, UnknownReceiverError } from "./star.ts";
import { takeTurn, type Abilities } from "./turn.ts";

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
  abilities: Abilities;
  /** Names the session's interpreter in the sandbox. */
  contextId: string;
  limits: RoundLimits;
  /** The round's receipt. */
  usage: Usage;
}

export interface RoundContext extends RoundServices {
  session: Session;
  /** The conversation as it was rebuilt; its last round is the one to run. */
  rounds: Round[];
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
  await tellWhatIsKnown(context, round);
  if (round.state === "created") {
    const deadline = AbortSignal.timeout(Math.max(0, lease.startedAt + context.limits.timeMs - Date.now()));
    const abort = AbortSignal.any([context.abort, deadline]);
    let end: Pick<RoundEnd, "state" | "stop" | "error">;
    try {
      if (lease.attempt > MAX_ATTEMPTS)
        throw new RoundFailure(interruptedError.code, interruptedError.message);
      if (!(await takeTurns(context, round, at, abort))) return undefined;
      const stop = attachmentsOf(
        round.posts.findLast(({ sendFrom }) => sendFrom === PLANNER)!,
        "stop",
      ).at(-1);
      end = { state: "finished", ...(stop === undefined ? {} : { stop }) };
    } catch (error) {
      if (error instanceof StaleRunnerError) throw error;
      end = {
        state: "failed",
        error: explain(error, { aborted: context.abort.aborted, late: deadline.aborted }),
      };
    }
    const finishedAt = Date.now();
    context.usage.totalMs = finishedAt - round.createdAt;
    const usage = structuredClone(context.usage);
    Object.assign(round, end, { usage, finishedAt });
    await context.store.closeRound(session, at, { ...end, usage, finishedAt });
  }
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

/**
 * Tells what earlier runners did not come to tell: that the round has started, and the Posts that are stored, whoever
 * stored them. What the lost runner's last turn has said is taken back, since that turn is taken again.
 */
async function tellWhatIsKnown(context: RoundContext, round: Round): Promise<void> {
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
  const outside = await sessionClient.commit({ fence: lease.fence, events: events.take(), facts, usage });
  context.outside.push(...outside);
  events.stored();
}

/** What the object that holds the shared state is to be told: all of the conversation, or its last Post. */
function factsReport(
  { rounds, outside }: RoundContext,
  round: Round,
  { replayed = false, added = false }: { replayed?: boolean; added?: boolean },
): FactsReport {
  const seq = round.posts.length - 1;
  return {
    roundSeq: round.seq,
    ...(replayed ? { replayed: withoutOverwritten([...factsOfRounds(rounds), ...outside], round.seq) } : {}),
    ...(added ? { added: factsOfPost(round.seq, seq, round.posts[seq]!) } : {}),
    outsideSeen: Math.max(0, ...outside.map((fact) => (fact.kind === "signal" ? (fact.n ?? 0) : 0))),
  };
}

/** False when the round was handed over before its end. */
async function takeTurns(
  context: RoundContext,
  round: Round,
  at: RoundPosition,
  abort: AbortSignal,
): Promise<boolean> {
  const { session, store, sessionClient, lease, events, limits, usage } = context;
  const cast = castOf(session, context.abilities);
  for (let lastPost = round.posts.at(-1)!; lastPost.sendTo !== USER; lastPost = round.posts.at(-1)!) {
    const seq = round.posts.length;
    if (seq > limits.maxReplies) {
      throw new RoundFailure(
        "round_limit",
        `The round took ${limits.maxReplies} replies without an answer. Ask for less at once, or raise session.max_internal_chat_round_num.`,
      );
    }
    checkTokens(context);
    abort.throwIfAborted();
    const role = cast.find(({ alias }) => alias === lastPost.sendTo);
    if (!role) throw new UnknownReceiverError(lastPost.sendTo, cast);
    const key = (name: string) => `${seq}/${name}`;
    const said = [...factsOfRounds(context.rounds), ...context.outside];
    const post = await takeTurn({
      ...context,
      role,
      cast,
      state: stateOf(said, round.seq),
      facts: said,
      emit: events.emit,
      abort,
      recall: (name) =>
        key(name) in lease.checkpoints ? { value: lease.checkpoints[key(name)] } : undefined,
      keep: (name, value) => sessionClient.checkpoint({ fence: lease.fence, key: key(name), value }),
    });
    abort.throwIfAborted();
    checkStar(post, cast);
    // Stored before anybody acts on it or is told that it ended.
    await store.appendPost(session, at, seq, post);
    round.posts.push(post);
    events.emitWhenStored("post_end", { post: wirePost(post) }, post.id);
    // The last Post is told together with the round's end.
    if (post.sendTo === USER) return true;
    const handsOver = context.shouldHandOver?.() ?? false;
    const facts = factsReport(context, round, { added: true });
    const commit = { fence: lease.fence, events: events.take(), facts, usage };
    if (handsOver) await sessionClient.release(commit);
    else context.outside.push(...(await sessionClient.commit(commit)));
    events.stored();
    if (handsOver) return false;
  }
  return true;
}

/** A turn isn't begun with nothing left to spend; the one that spends the last may end. */
function checkTokens({ limits, usage, rounds }: RoundContext): void {
  const spent = tokensOf(usage);
  if (limits.roundTokens !== undefined && spent >= limits.roundTokens) {
    throw new RoundFailure(
      "token_limit",
      `The round has used ${spent} of the ${limits.roundTokens} tokens that it may. Ask for less at once, or raise session.max_round_tokens.`,
    );
  }
  const inAll = rounds
    .slice(0, -1)
    .reduce((sum, round) => sum + (round.usage ? tokensOf(round.usage) : 0), spent);
  if (limits.sessionTokens !== undefined && inAll >= limits.sessionTokens) {
    throw new RoundFailure(
      "token_limit",
      `The session has used ${inAll} of the ${limits.sessionTokens} tokens that it may. Start a new session, or raise session.max_session_tokens.`,
    );
  }
}

const tokensOf = ({ promptTokens, completionTokens }: Usage): number => promptTokens + completionTokens;

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

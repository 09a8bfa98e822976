import type { createEmitter } from "../events/event.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import { attachmentsOf, PLANNER, USER, type Post } from "../memory/post.ts";
import type { Round, Usage } from "../memory/round.ts";
import type { Session } from "../memory/session.ts";
import { StaleRunnerError, type ConversationStore, type RoundEnd } from "../memory/store.ts";
import { wirePost, wireRound } from "../memory/wire.ts";
import type { Role } from "../roles/role.ts";
import type { Lease, SessionClient } from "../session/session.ts";
import type { SessionFiles } from "../files/files.ts";
import { relay } from "./relay.ts";
import { takeTurn, type Abilities } from "./turn.ts";

export interface RoundLimits {
  /** Replies of roles in one round, self-corrections included. */
  maxReplies: number;
  timeMs: number;
}

export interface RoundContext {
  session: Session;
  /** The conversation as it was rebuilt; its last round is the one to run. */
  rounds: Round[];
  lease: Lease;
  store: ConversationStore;
  sessionClient: SessionClient;
  files: SessionFiles;
  abilities: Abilities;
  contextId: string;
  limits: RoundLimits;
  events: ReturnType<typeof createEmitter>;
  usage: Usage;
  abort: AbortSignal;
}

/**
 * Runs a round from its last stored Post to its end: who the Post goes to takes a turn, the Post of that turn is
 * stored, and so on until one goes to the User. What goes wrong on the way ends the round as failed, with a reason.
 */
export async function runRound(context: RoundContext): Promise<Round> {
  const { events, rounds, session } = context;
  const round = rounds.at(-1)!;
  const deadline = AbortSignal.timeout(context.limits.timeMs);
  const abort = AbortSignal.any([context.abort, deadline]);
  const started = Date.now();
  let end: Pick<RoundEnd, "state" | "stop" | "error">;
  events.emit("round_start", { user_query: round.userQuery });
  events.emit("post_end", { post: wirePost(round.posts[0]!) }, round.posts[0]!.id);
  try {
    await takeTurns(context, round, abort);
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
  context.usage.totalMs = Date.now() - started + context.usage.queueMs;
  const usage = structuredClone(context.usage);
  Object.assign(round, end, { usage, finishedAt: Date.now() });
  await context.store.closeRound(
    session,
    { roundId: round.id, roundSeq: round.seq, fence: context.lease.fence },
    { ...end, usage, finishedAt: round.finishedAt! },
  );
  if (round.error) events.emit("round_error", round.error);
  events.emit("round_end", { round: wireRound(session.id, round) });
  return round;
}

async function takeTurns(context: RoundContext, round: Round, abort: AbortSignal): Promise<void> {
  const { session, store, sessionClient, lease, events, limits } = context;
  const cast = castOf(session, context.abilities);
  const at = { roundId: round.id, roundSeq: round.seq, fence: lease.fence };
  for (let lastPost = round.posts.at(-1)!; lastPost.sendTo !== USER; lastPost = round.posts.at(-1)!) {
    const seq = round.posts.length;
    if (seq > limits.maxReplies) {
      throw new RoundFailure(
        "round_limit",
        `The round took ${limits.maxReplies} replies without an answer. Ask for less at once, or raise session.max_internal_chat_round_num.`,
      );
    }
    abort.throwIfAborted();
    const role = cast.find(({ alias }) => alias === lastPost.sendTo);
    if (!role) throw new UnknownReceiverError(lastPost.sendTo, cast);
    const key = (name: string) => `${seq}/${name}`;
    const post = await takeTurn({
      ...context,
      role,
      cast,
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
    events.emit("post_end", { post: wirePost(post) }, post.id);
    await sessionClient.commit({ fence: lease.fence, nextEventId: events.nextEventId() });
  }
}

/** The session's roles by their names; a session without the Planner has a relay in its place. */
function castOf(session: Session, abilities: Abilities): Role[] {
  const cast = session.roles.flatMap((name) => abilities.roles.get(name) ?? []);
  return cast.some(({ alias }) => alias === PLANNER) ? cast : [relay, ...cast];
}

/** Workers talk to the Planner, or to themselves to correct what they did; only the Planner talks to the User. */
function checkStar(post: Post, cast: Role[]): void {
  const isPlanner = post.sendFrom === PLANNER;
  const known = isPlanner ? [...cast.map(({ alias }) => alias), USER] : [PLANNER, post.sendFrom];
  if (!known.includes(post.sendTo)) throw new UnknownReceiverError(post.sendTo, cast, post.sendFrom);
}

class UnknownReceiverError extends RoundFailure {
  constructor(receiver: string, cast: Role[], sender?: string) {
    const who = sender === undefined ? "" : ` by ${sender}`;
    super(
      "role_failed",
      `A message was sent${who} to "${receiver}", who can't be addressed. In this session are: ${cast.map(({ alias }) => alias).join(", ")}.`,
    );
  }
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

import type { EmitEvent } from "../events/event.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import { USER, type Post } from "../memory/post.ts";
import type { Round } from "../memory/round.ts";
import { factsOfRounds, stateOf } from "../memory/shared-state.ts";
import type { NumberedPost, RoundPosition } from "../memory/store.ts";
import { wirePost } from "../memory/wire.ts";
import { compressMemory } from "./compress.ts";
import { checkTokens } from "./check-tokens.ts";
import type { RoundContext } from "./run-round.ts";
import { castOf, checkStar, UnknownReceiverError } from "./star.ts";
import { factsReport, setVariables, takeIn } from "./tell-session.ts";
import { takeTurn } from "./turn.ts";

/**
 * Takes turns until a Post goes to the User, and gives that Post, which is still to be stored. Undefined when the round
 * was handed over before. Each Post is stored before it counts; a role that begins early may ask its model meanwhile.
 */
export async function takeTurns(options: {
  context: RoundContext;
  round: Round;
  at: RoundPosition;
  abort: AbortSignal;
  /** What goes before the first turn, and may still be under way. */
  opening: Promise<void>;
}): Promise<NumberedPost | undefined> {
  const { context, round, at } = options;
  const { session, store, sessionClient, lease, events, limits, usage } = context;
  const cast = castOf(session, context.abilities);
  const lost = new AbortController();
  const abort = AbortSignal.any([options.abort, lost.signal]);
  let settled = options.opening;

  /** Stored before it is told that the Post has ended, and before anything is done on its account. */
  async function settle(seq: number, post: Post, handsOver: boolean): Promise<void> {
    await store.appendPost(session, at, seq, post);
    const commit = {
      fence: lease.fence,
      events: events.take(),
      facts: factsReport(context, round, { added: true }),
      usage,
    };
    if (handsOver) await sessionClient.release(commit);
    else takeIn(context, await sessionClient.commit(commit));
    events.stored();
  }

  for (;;) {
    const lastPost = round.posts.at(-1)!;
    const seq = round.posts.length;
    // A turn that has begun early must not go on for a runner that has lost the round.
    settled.catch(() => lost.abort());
    if (seq > limits.maxReplies) {
      await settled;
      throw new RoundFailure(
        "round_limit",
        `The round took ${limits.maxReplies} replies without an answer. Ask for less at once, or raise session.max_internal_chat_round_num.`,
      );
    }
    const role = cast.find(({ alias }) => alias === lastPost.sendTo);
    if (!role?.beginsEarly) await settled;
    if (!role) throw new UnknownReceiverError(lastPost.sendTo, cast);
    checkTokens(context);
    abort.throwIfAborted();
    const facts = () => [
      ...(context.horizon?.facts ?? []),
      ...factsOfRounds(context.rounds),
      ...context.outside,
    ];
    const emit = holdBack(events.emit, settled);
    if (role.memory === "compressed") await compressMemory({ context, role, cast, at, emit, abort });
    const key = (name: string) => `${seq}/${name}`;
    const turn = takeTurn({
      ...context,
      role,
      cast,
      state: () => stateOf(facts(), round.seq),
      facts,
      settled,
      emit,
      abort,
      setVariables: (changes) => setVariables(context, changes),
      recall: (name) =>
        key(name) in lease.checkpoints ? { value: lease.checkpoints[key(name)] } : undefined,
      keep: (name, value) => sessionClient.checkpoint({ fence: lease.fence, key: key(name), value }),
    });
    // Whatever becomes of the turn, what went before it is settled first.
    const [, outcome] = await Promise.all([settled, Promise.allSettled([turn])]);
    if (outcome[0].status === "rejected") throw outcome[0].reason;
    const post = outcome[0].value;
    abort.throwIfAborted();
    checkStar(post, cast);
    if (post.sendTo === USER) return { seq, post };
    round.posts.push(post);
    events.emitWhenStored("post_end", { post: wirePost(post) }, post.id);
    const handsOver = context.shouldHandOver?.() ?? false;
    settled = settle(seq, post, handsOver);
    if (handsOver) return void (await settled);
  }
}

/** Tells what a turn says once the Post before it has ended, so that listeners hear of one Post after the other. */
function holdBack(emit: EmitEvent, until: Promise<void>): EmitEvent {
  let held: (() => void)[] | undefined = [];
  const flush = () => {
    for (const tell of held ?? []) tell();
    held = undefined;
  };
  // What a lost runner would have said is for nobody.
  until.then(flush, () => {});
  return (type, data, postId) => {
    if (held) held.push(() => emit(type, data, postId));
    else emit(type, data, postId);
  };
}

import type { Post } from "./post.ts";
import type { Feedback, Round, RoundError, Usage } from "./round.ts";
import type { Session, SessionRef } from "./session.ts";
import type { Fact } from "./shared-state.ts";
import type { Horizon, Remembered, RoleSummary } from "./summary.ts";

export interface Page<Item> {
  items: Item[];
  /** Hand it back to get what comes after; absent on the last page. */
  nextCursor?: string;
}

export interface Conversation {
  session: Session;
  /** Oldest first. */
  rounds: Round[];
  /** Signals that were set from outside, with their place in the conversation. */
  outside: Fact[];
}

/** A conversation with what its roles remember of it. */
export type RememberedConversation = Conversation & Remembered;

/** The write of a runner whose lease was given to another one. Its round goes on elsewhere; it must stop. */
export class StaleRunnerError extends Error {
  readonly code = "stale_runner";
  constructor(roundId: string, fence: number) {
    super(`Round ${roundId} was taken over by another runner; fence ${fence} no longer holds.`);
  }
}

/**
 * Where the conversation is kept: the one truth from which Memory is rebuilt. Every method costs one round trip to the
 * database. A session or round that isn't there is `undefined`, never an error; another tenant's is not there.
 * Every write may be sent again when its answer was lost: what comes of it, and what is answered, is as if it were
 * the first time.
 */
export interface ConversationStore {
  /** False when the tenant has a session of this id already. */
  createSession(session: Session): Promise<boolean>;
  getSession(ref: SessionRef): Promise<Session | undefined>;
  /** Newest first. */
  listSessions(tenant: string, page: { cursor?: string; limit: number }): Promise<Page<Session>>;
  updateSession(
    ref: SessionRef,
    change: Partial<Pick<Session, "title" | "metadata">>,
  ): Promise<Session | undefined>;
  /** Sets session variables; null takes one away, the others stay. */
  mergeVariables(ref: SessionRef, changes: Record<string, string | null>): Promise<Session | undefined>;
  /** Deletes the session's rows. Objects and files are the caller's to remove. */
  deleteSession(ref: SessionRef): Promise<void>;
  /**
   * Makes a session with rounds that have ended elsewhere, numbered in their order. It appears with all of them or not
   * at all; a large one takes several round trips. False when the tenant has a session of this id already.
   */
  importConversation(conversation: Conversation & Partial<Remembered>): Promise<boolean>;

  /**
   * Starts a round with the User's Post, or takes it over when it is there, and rebuilds the conversation with it as
   * the last round, as far as that needs it: rounds up to the horizon are left out. The fence is the lease's: only its holder may write from now on. A round that has ended already is
   * given as it is. Uploads that were noted before the message came are named in front of its query, once.
   * Rounds that an earlier runner left behind unfinished are failed as `interrupted`.
   */
  openRound(
    ref: SessionRef,
    round: { id: string; userQuery: string; createdAt: number; fence: number; keyId?: string | undefined },
  ): Promise<RememberedConversation | undefined>;
  /** Appends the round's post number `seq`. The same post again is harmless. @throws StaleRunnerError */
  appendPost(ref: SessionRef, at: RoundPosition, seq: number, post: Post): Promise<void>;
  /**
   * Keeps what roles remember in the place of older rounds; one that covers less than what is kept changes nothing.
   * Written under the running round's lease: a runner that has lost it writes nothing.
   */
  keepSummaries(
    ref: SessionRef,
    at: RoundPosition,
    kept: { summaries: RoleSummary[]; horizon?: Horizon | undefined },
  ): Promise<void>;
  /** Ends the round, together with its last Post where that isn't stored yet. @throws StaleRunnerError */
  closeRound(ref: SessionRef, at: RoundPosition, end: RoundEnd, lastPost?: NumberedPost): Promise<void>;

  /** The whole conversation as it is. */
  loadConversation(ref: SessionRef): Promise<RememberedConversation | undefined>;
  /**
   * Sets signals from outside, null takes one away. They stand behind the last Post that is stored; what comes back are
   * all that came from outside, of each round and key the last.
   */
  setSignals(ref: SessionRef, signals: Record<string, string | null>): Promise<Fact[] | undefined>;

  /** An upload that the next round is to name to the model. False when there is no such session. */
  noteNewFile(ref: SessionRef, name: string, at: number): Promise<boolean>;
  /** It is gone again. */
  forgetNewFile(ref: SessionRef, name: string): Promise<void>;

  /** Sessions of any tenant that have not changed since a time and run nothing. */
  findIdleSessions(options: { before: number; limit: number }): Promise<SessionRef[]>;
  /** Rounds of any session that began before a time and have not ended; oldest first. */
  findOpenRounds(options: { before: number; limit: number }): Promise<OpenRound[]>;

  /** Keeps what somebody thinks of a round, in place of what they thought before. False when there is no such round. */
  setFeedback(ref: SessionRef, roundId: string, feedback: Feedback): Promise<boolean>;

  getRound(ref: SessionRef, roundId: string): Promise<Round | undefined>;
  /** Newest first. */
  listRounds(ref: SessionRef, page: { cursor?: string; limit: number }): Promise<Page<Round>>;
}

export interface OpenRound extends SessionRef {
  roundId: string;
  userQuery: string;
  createdAt: number;
}

/** A Post and its place in its round. */
export interface NumberedPost {
  seq: number;
  post: Post;
}

export interface RoundPosition {
  roundId: string;
  roundSeq: number;
  fence: number;
}

export interface RoundEnd {
  state: "finished" | "failed";
  stop?: string;
  error?: RoundError;
  usage: Usage;
  finishedAt: number;
}

/** Why a round that was left behind is failed. */
export const interruptedError: RoundError = {
  code: "interrupted",
  message: "The round was interrupted before it could answer. Send the message again.",
};

import type { Post } from "./post.ts";

export type RoundState = "created" | "finished" | "failed";

export interface RoundError {
  code: string;
  message: string;
}

/** What somebody thought of a round. */
export interface Feedback {
  /** On a scale of their own. */
  score: number;
  note?: string;
  at: number;
}

/** What a round cost, counted where the cost arises. The write that stores the receipt is not on it. */
export interface Usage {
  modelCalls: number;
  promptTokens: number;
  completionTokens: number;
  modelMs: number;
  sandboxMs: number;
  queueMs: number;
  totalMs: number;
  d1: { roundTrips: number; rowsRead: number; rowsWritten: number };
  sessionCalls: number;
}

export interface Round {
  id: string;
  /** Position in the session, from 1. */
  seq: number;
  userQuery: string;
  state: RoundState;
  /** The Planner's reason for ending the round (`Completed`, `Clarification`, …). */
  stop?: string;
  error?: RoundError;
  usage?: Usage;
  /** The session's variables as the round began; unknown of rounds from elsewhere. */
  variables?: Record<string, string>;
  posts: Post[];
  createdAt: number;
  finishedAt?: number;
  feedback?: Feedback;
}

export function emptyUsage(): Usage {
  return {
    modelCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
    modelMs: 0,
    sandboxMs: 0,
    queueMs: 0,
    totalMs: 0,
    d1: { roundTrips: 0, rowsRead: 0, rowsWritten: 0 },
    sessionCalls: 0,
  };
}

import type { PostUsage } from "../memory/post-trace.ts";
import type { Usage } from "../memory/round.ts";

/** What a turn spends: the part of its round's receipt that the Post keeps. */
export type TurnUsage = Pick<
  Usage,
  "modelCalls" | "promptTokens" | "completionTokens" | "modelMs" | "sandboxMs"
>;

export function emptyTurnUsage(): TurnUsage {
  return { modelCalls: 0, promptTokens: 0, completionTokens: 0, modelMs: 0, sandboxMs: 0 };
}

/** Undefined for a turn that asked neither a model nor the sandbox. */
export function usageOfPost(spent: TurnUsage): PostUsage | undefined {
  if (spent.modelCalls === 0 && spent.sandboxMs === 0) return undefined;
  return {
    model_calls: spent.modelCalls,
    prompt_tokens: spent.promptTokens,
    completion_tokens: spent.completionTokens,
    model_ms: spent.modelMs,
    sandbox_ms: spent.sandboxMs,
  };
}

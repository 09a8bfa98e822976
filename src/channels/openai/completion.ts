import type { Round } from "../../memory/round.ts";
import { attachmentsOf, USER, type Post } from "../../memory/post.ts";
import { showTemporal } from "../../memory/temporal.ts";

/** What the User was told in the end. */
export function answerOf({ posts }: Round): string {
  const last = posts.at(-1);
  return last?.sendTo === USER ? showTemporal(last.message, true) : "";
}

/** The plan and who was asked for what, for clients that show how an answer came about. */
export function reasoningOf({ posts }: Round): string {
  return posts.slice(1).map(tell).filter(Boolean).join("\n\n");
}

function tell(post: Post): string {
  const plan = attachmentsOf(post, "plan").join("\n");
  const message = post.sendTo === USER ? "" : `${post.sendFrom} to ${post.sendTo}: ${post.message}`;
  return [plan && `Plan:\n${plan}`, message].filter(Boolean).join("\n");
}

export function usageOf({ usage }: Round) {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

export const completionId = (roundId: string): string => `chatcmpl-${roundId}`;

export function completion(options: {
  round: Round;
  sessionId: string;
  model: string;
  withReasoning: boolean;
}) {
  const { round, sessionId, model, withReasoning } = options;
  return {
    id: completionId(round.id),
    object: "chat.completion",
    created: Math.floor(round.createdAt / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answerOf(round),
          refusal: null,
          ...(withReasoning ? { reasoning_content: reasoningOf(round) } : {}),
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: usageOf(round),
    metadata: { session_id: sessionId, round_id: round.id },
  };
}

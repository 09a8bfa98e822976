import type { Post } from "./post.ts";
import type { Feedback, Round, Usage } from "./round.ts";
import type { Session } from "./session.ts";

/** The conversation as clients see it: TaskWeaver's own names, snake_case. */
export function wirePost(post: Post, { explain = false }: { explain?: boolean } = {}) {
  const { usage, ...trace } = post.trace ?? {};
  return {
    id: post.id,
    send_from: post.sendFrom,
    send_to: post.sendTo,
    message: post.message,
    attachment_list: post.attachments.map(({ id, type, content, extra }) => ({
      id,
      type,
      content,
      extra: extra ?? null,
    })),
    ...(usage ? { usage } : {}),
    // What a role was shown is for those who ask: clients get the posts that they always got.
    ...(explain ? { trace } : {}),
  };
}

export function wireUsage(usage: Usage) {
  return {
    model_calls: usage.modelCalls,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    model_ms: usage.modelMs,
    sandbox_ms: usage.sandboxMs,
    queue_ms: usage.queueMs,
    total_ms: usage.totalMs,
    d1: {
      round_trips: usage.d1.roundTrips,
      rows_read: usage.d1.rowsRead,
      rows_written: usage.d1.rowsWritten,
    },
    session_calls: usage.sessionCalls,
  };
}

export function wireRound(sessionId: string, round: Round, options: { explain?: boolean } = {}) {
  return {
    id: round.id,
    session_id: sessionId,
    user_query: round.userQuery,
    state: round.state,
    ...(round.stop === undefined ? {} : { stop: round.stop }),
    ...(round.error === undefined ? {} : { error: round.error }),
    ...(round.feedback === undefined ? {} : { feedback: wireFeedback(round.feedback) }),
    post_list: round.posts.map((post) => wirePost(post, options)),
    usage: round.usage ? wireUsage(round.usage) : null,
    created_at: new Date(round.createdAt).toISOString(),
    finished_at: round.finishedAt === undefined ? null : new Date(round.finishedAt).toISOString(),
  };
}

const wireFeedback = ({ score, note, at }: Feedback) => ({
  score,
  note: note ?? null,
  at: new Date(at).toISOString(),
});

export function wireSession(session: Session) {
  return {
    id: session.id,
    roles: session.roles,
    title: session.title,
    metadata: session.metadata,
    state: session.state,
    created_at: new Date(session.createdAt).toISOString(),
    updated_at: new Date(session.updatedAt).toISOString(),
  };
}

export type WireRound = ReturnType<typeof wireRound>;

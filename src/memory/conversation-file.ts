import * as z from "zod";
import { createId, postId } from "../lib/id.ts";
import type { Attachment } from "./attachment.ts";
import type { Post } from "./post.ts";
import type { Feedback, Round, Usage } from "./round.ts";
import { SHARED_MEMORY_ENTRY } from "./shared-memory.ts";
import { interruptedError } from "./store.ts";
import { wireRound } from "./wire.ts";

/** Ids of rounds and posts stand in paths. */
export const idInFile = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,199}$/,
    "1 to 200 letters, digits and . _ ~ : -, beginning with a letter or digit",
  );
export const timeInFile = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));

const alias = z.string().min(1).max(200);
const count = z.number().nonnegative();

const sharedMemoryEntry = z.looseObject({
  type: z.string(),
  content: z.string(),
  scope: z.enum(["round", "conversation"]),
  id: z.string(),
});

const attachment = z
  .strictObject({
    id: z.string().min(1).max(200).nullish(),
    type: z.string().min(1).max(200),
    content: z.union([z.string(), z.array(z.string())]),
    extra: z.unknown().optional(),
  })
  .check(({ value, issues }) => {
    if (value.type !== SHARED_MEMORY_ENTRY) return;
    const entry = sharedMemoryEntry.safeParse(value.extra);
    for (const { path, message } of entry.error?.issues ?? []) {
      issues.push({ code: "custom", path: ["extra", ...path], message, input: value.extra });
    }
  });

const postUsage = z.strictObject({
  model_calls: count,
  prompt_tokens: count,
  completion_tokens: count,
  model_ms: count,
  sandbox_ms: count,
});

const post = z.strictObject({
  id: idInFile.nullish(),
  message: z.string(),
  send_from: alias,
  send_to: alias,
  attachment_list: z.array(attachment).nullish(),
  usage: postUsage.nullish(),
});

const usage = postUsage
  .extend({
    queue_ms: count,
    total_ms: count,
    d1: z.strictObject({ round_trips: count, rows_read: count, rows_written: count }),
    session_calls: count,
  })
  .transform((wire): Usage => ({
    modelCalls: wire.model_calls,
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    modelMs: wire.model_ms,
    sandboxMs: wire.sandbox_ms,
    queueMs: wire.queue_ms,
    totalMs: wire.total_ms,
    d1: {
      roundTrips: wire.d1.round_trips,
      rowsRead: wire.d1.rows_read,
      rowsWritten: wire.d1.rows_written,
    },
    sessionCalls: wire.session_calls,
  }));

const round = z.strictObject({
  id: idInFile.nullish(),
  user_query: z.string().max(500_000),
  state: z.enum(["created", "finished", "failed"]),
  post_list: z.array(post).nullish(),
  stop: z.string().max(1000).nullish(),
  error: z.strictObject({ code: z.string().max(200), message: z.string().max(100_000) }).nullish(),
  usage: usage.nullish(),
  created_at: timeInFile.nullish(),
  finished_at: timeInFile.nullish(),
  feedback: z
    .strictObject({ score: z.number(), note: z.string().max(5000).nullish(), at: timeInFile })
    .nullish(),
});

/** Rounds in TaskWeaver's shape, with what we know of them beyond it. What has no id or time is given one. */
export const roundsInFile = z
  .array(round)
  .check(({ value, issues }) => {
    const known = new Set<string>();
    const expectNew = (id: string | null | undefined, path: PropertyKey[]) => {
      if (id && known.has(id))
        issues.push({ code: "custom", path, message: `"${id}" is there twice`, input: id });
      if (id) known.add(id);
    };
    for (const [index, { id, post_list }] of value.entries()) {
      expectNew(id, [index, "id"]);
      for (const [place, { id: ofPost }] of (post_list ?? []).entries()) {
        expectNew(ofPost, [index, "post_list", place, "id"]);
      }
    }
  })
  .transform((rounds) => rounds.map(toRound));

/**
 * TaskWeaver's dump of a conversation. It is taken as its versions wrote it: attachments may be missing or null, code
 * may be called `python`. Who took part is read from the posts, so `roles` and what else there may be is passed over.
 */
export const conversationFile = z.object({ id: z.string().nullish(), rounds: roundsInFile });

/** The conversation as TaskWeaver dumps it. */
export function writeConversation(id: string, rounds: Round[]) {
  return { id, plugins: [], roles: [], enabled: true, rounds: rounds.map(writeRound) };
}

export function writeRound(given: Round) {
  const { session_id: _session, ...rest } = wireRound("", given);
  return rest;
}

/** A round that hadn't ended was given up with the place where it ran. */
function toRound(file: z.output<typeof round>, index: number): Round {
  const now = Date.now();
  const id = file.id ?? createId("round");
  const isCut = file.state === "created";
  const error = file.error ?? (isCut ? interruptedError : undefined);
  const finishedAt = file.finished_at ?? (isCut ? now : undefined);
  return {
    id,
    seq: index + 1,
    userQuery: file.user_query,
    state: file.state === "created" ? "failed" : file.state,
    ...(typeof file.stop === "string" ? { stop: file.stop } : {}),
    ...(error ? { error } : {}),
    ...(file.usage ? { usage: file.usage } : {}),
    posts: (file.post_list ?? []).map((entry, seq) => toPost(entry, postId(id, seq))),
    createdAt: file.created_at ?? now,
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(file.feedback ? { feedback: toFeedback(file.feedback) } : {}),
  };
}

function toFeedback({ score, note, at }: NonNullable<z.output<typeof round>["feedback"]>): Feedback {
  return { score, at, ...(note ? { note } : {}) };
}

function toPost(file: z.output<typeof post>, newId: string): Post {
  return {
    id: file.id ?? newId,
    sendFrom: file.send_from,
    sendTo: file.send_to,
    message: file.message,
    attachments: (file.attachment_list ?? []).flatMap(toAttachments),
    ...(file.usage ? { trace: { usage: file.usage } } : {}),
  };
}

/** `python` is what older dumps call a reply that is code. */
function toAttachments(file: z.output<typeof attachment>): Attachment[] {
  const id = file.id ?? createId("atta");
  const extra = file.extra === undefined || file.extra === null ? {} : { extra: file.extra };
  if (file.type !== "python") return [{ id, type: file.type, content: file.content, ...extra }];
  return [
    { id: `${id}-type`, type: "reply_type", content: "python" },
    { id, type: "reply_content", content: file.content, ...extra },
  ];
}

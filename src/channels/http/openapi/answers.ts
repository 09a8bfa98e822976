import * as z from "zod";

// What the API answers with. Requests are described by the schemas that check them; these describe what is built from
// typed values, and are held to it by tests.

const time = z.iso.datetime();
const count = z.number().nonnegative();

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem", description: "A refusal (RFC 9457); `code` is for programs." });

export const session = z
  .strictObject({
    id: z.string(),
    roles: z.array(z.string()),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    state: z.enum(["idle", "running"]),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Session" });

const attachment = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    content: z.union([z.string(), z.array(z.string())]),
    extra: z.unknown(),
  })
  .meta({ id: "Attachment" });

/** What a turn costs, and as a sum its round. */
const cost = {
  model_calls: count,
  prompt_tokens: count,
  completion_tokens: count,
  model_ms: count,
  sandbox_ms: count,
};

const postUsage = z
  .strictObject(cost)
  .meta({ id: "PostUsage", description: "What the turn that made the post cost." });

const post = z
  .strictObject({
    id: z.string(),
    send_from: z.string(),
    send_to: z.string(),
    message: z.string(),
    attachment_list: z.array(attachment),
    usage: postUsage.optional(),
    trace: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Post" });

const receipt = z
  .strictObject({
    ...cost,
    queue_ms: z.number(),
    total_ms: count,
    d1: z.strictObject({ round_trips: count, rows_read: count, rows_written: count }),
    session_calls: count,
  })
  .meta({ id: "Receipt", description: "What a round cost, counted where it arises." });

export const round = z
  .strictObject({
    id: z.string(),
    session_id: z.string(),
    user_query: z.string(),
    state: z.enum(["created", "finished", "failed"]),
    stop: z.string().optional(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    feedback: z.strictObject({ score: z.number(), note: z.string().nullable(), at: time }).optional(),
    post_list: z.array(post),
    usage: receipt.nullable(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: "Round" });

export const acceptedRound = z
  .strictObject({ id: z.string(), state: z.literal("created") })
  .meta({ id: "AcceptedRound" });

export const artifact = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    mime: z.string(),
    size: count,
    description: z.string(),
    round_id: z.string(),
    post_id: z.string(),
    created_at: time,
  })
  .meta({ id: "Artifact" });

export const file = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    size: count,
    mime: z.string(),
    etag: z.string(),
    uploaded_at: time,
  })
  .meta({ id: "File" });

export const link = z.strictObject({ url: z.string(), expires_at: time }).meta({ id: "Link" });

export const sharedEntry = z
  .object({
    role: z.string(),
    type: z.string(),
    content: z.string(),
    scope: z.enum(["round", "conversation"]),
    id: z.string(),
  })
  .meta({ id: "SharedMemoryEntry" });

export const experience = z
  .strictObject({
    id: z.string(),
    exp_id: z.string(),
    role: z.string().nullable(),
    sub_path: z.string(),
    kind: z.string(),
    source: z.enum(["own", "project"]),
    state: z.string(),
    experience_text: z.string(),
    error: z.string().nullable(),
    merged_into: z.string().nullable(),
    session_id: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Experience" });

export const experienceFile = z
  .object({ role: z.string().nullable().optional(), path: z.string(), content: z.string() })
  .meta({ id: "ExperienceFile" });

export const foundExperience = z
  .strictObject({ id: z.string(), score: z.number(), experience_text: z.string(), sub_path: z.string() })
  .meta({ id: "FoundExperience" });

export const document = z
  .strictObject({
    name: z.string(),
    mime: z.string(),
    size: count,
    etag: z.string(),
    passages: count,
    embedded_by: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Document" });

export const snippet = z
  .strictObject({ document: z.string(), headings: z.array(z.string()), text: z.string(), score: z.number() })
  .meta({ id: "Snippet" });

export const dailyUsage = z
  .strictObject({
    day: z.string(),
    key: z.string(),
    rounds: count,
    failed_rounds: count,
    model_calls: count,
    prompt_tokens: count,
    completion_tokens: count,
    model_ms: count,
    sandbox_ms: count,
  })
  .meta({ id: "DailyUsage" });

export const texts = z.record(z.string(), z.string());

export const listOf = (item: z.ZodType) =>
  z.strictObject({ data: z.array(item), next_cursor: z.string().nullable() });

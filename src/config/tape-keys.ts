import * as z from "zod";

export const tapeModes = ["playback_or_record", "playback_only", "record_only", "fixed"] as const;

/** TaskWeaver's keys for a model that is not asked each time anew. A local start goes by them; a deployment refuses. */
export const tapeKeys = {
  "llm.use_mock": z.boolean().default(false),
  "llm.mock.mode": z.enum(tapeModes).default("playback_or_record"),
  "llm.mock.cache_path": z.string().default("cache/mock.yaml"),
  "llm.mock.playback_delay": z.number().min(-1).max(60).default(-1),
  "llm.mock.fixed_chat_responses": z.string().default("Hello! How can I help you?"),
  "llm.mock.fixed_embedding_responses": z
    .array(z.number())
    .min(1)
    .default(() => Array.from({ length: 64 }, () => 0)),
};

import * as z from "zod";

export const providers = ["none", "google", "brave", "tavily", "searxng", "duckduckgo", "bing"] as const;

export const webSearchConfig = z.object({
  /** `none` until one is chosen. TaskWeaver's `duckduckgo` and `bing` have no API any more and say so when they are used. */
  api_provider: z.enum(providers).default("none"),
  result_count: z.int().min(1).max(10).default(3),
  /** Characters of a result that the Planner is shown. */
  chunk_size: z.int().min(200).default(2000),
  google_api_key: z.string().default(""),
  google_search_engine_id: z.string().default(""),
  brave_api_key: z.string().default(""),
  tavily_api_key: z.string().default(""),
  /** Address of a SearXNG instance that answers in JSON. */
  searxng_url: z.string().default(""),
});
export type WebSearchConfig = z.infer<typeof webSearchConfig>;

import * as z from "zod";
import type { WebSearchConfig, providers } from "./config.ts";

export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

interface SearchRequest {
  url: string;
  headers?: Record<string, string>;
  body?: string;
  read(json: unknown): SearchResult[];
}

type Provider = (typeof providers)[number];

const google = z.object({
  items: z
    .array(z.object({ title: z.string(), link: z.string(), snippet: z.string().catch("") }))
    .default([]),
});
const brave = z.object({
  web: z
    .object({
      results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().catch("") })),
    })
    .default({ results: [] }),
});
/** Tavily's and SearXNG's results look alike. */
const plain = z.object({
  results: z
    .array(z.object({ title: z.string().catch(""), url: z.string(), content: z.string().nullish() }))
    .default([]),
});
const readPlain = (json: unknown) =>
  plain.parse(json).results.map(({ title, url, content }) => ({ title, url, snippet: content ?? "" }));

/** What is asked of a provider for one query; a text says what has to be set first. */
export function searchRequest(config: WebSearchConfig, query: string): SearchRequest | string {
  const count = config.result_count;
  const needs = (name: keyof WebSearchConfig, what: string) =>
    config[name] === "" ? `web_search.${name} is not set: ${what}` : undefined;
  const makers: Record<Provider, () => SearchRequest | string> = {
    none: () =>
      "no provider is chosen. Set web_search.api_provider to google, brave, tavily or searxng (docs/roles.md)",
    duckduckgo: () =>
      "DuckDuckGo has no search API. Set web_search.api_provider to google, brave, tavily or searxng",
    bing: () =>
      "Bing's search API was shut down. Set web_search.api_provider to google, brave, tavily or searxng",
    google() {
      const missing =
        needs("google_api_key", "a key for Google's Custom Search API") ??
        needs("google_search_engine_id", "the id of a search engine there");
      if (missing) return missing;
      const parameters = new URLSearchParams({
        key: config.google_api_key,
        cx: config.google_search_engine_id,
        q: query,
        num: String(count),
      });
      return {
        url: `https://www.googleapis.com/customsearch/v1?${parameters}`,
        read: (json) =>
          google.parse(json).items.map(({ title, link, snippet }) => ({ title, url: link, snippet })),
      };
    },
    brave() {
      const missing = needs("brave_api_key", "a key for Brave's Search API");
      if (missing) return missing;
      return {
        url: `https://api.search.brave.com/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
        headers: { "x-subscription-token": config.brave_api_key, accept: "application/json" },
        read: (json) =>
          brave
            .parse(json)
            .web.results.map(({ title, url, description }) => ({ title, url, snippet: description })),
      };
    },
    tavily() {
      const missing = needs("tavily_api_key", "a key for Tavily's search API");
      if (missing) return missing;
      return {
        url: "https://api.tavily.com/search",
        headers: { authorization: `Bearer ${config.tavily_api_key}`, "content-type": "application/json" },
        body: JSON.stringify({ query, max_results: count }),
        read: readPlain,
      };
    },
    searxng() {
      const missing = needs("searxng_url", "the https address of a SearXNG instance");
      if (missing) return missing;
      const url = new URL("search", config.searxng_url.replace(/\/?$/, "/"));
      url.search = String(new URLSearchParams({ q: query, format: "json" }));
      return { url: url.href, headers: { accept: "application/json" }, read: readPlain };
    },
  };
  return makers[config.api_provider]();
}

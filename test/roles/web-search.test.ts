import { afterEach, describe, expect, it, vi } from "vitest";
import { role as webSearch } from "../../src/roles/web-search/index.ts";
import { playSession } from "../support/play-round.ts";

afterEach(() => void vi.restoreAllMocks());

/** The network: answers each request by its address, and keeps what was asked. */
function answerWith(answer: (url: URL, init: RequestInit) => Response) {
  const asked: { url: URL; init: RequestInit }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init = {}) => {
    const url = new URL(String(input));
    asked.push({ url, init });
    return answer(url, init);
  });
  return asked;
}

async function search(message: string, config: Record<string, unknown>) {
  const session = await playSession([webSearch], {
    roleConfig: { web_search: webSearch.configSchema!.parse(config) },
  });
  const round = await session.say(message);
  return { round, text: round.posts.at(-1)!.message };
}

const results = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({
    title: `Title ${index}`,
    url: `https://site.test/${index}`,
    content: `Extract ${index}. ${"x".repeat(5000)}`,
  }));

describe("WebSearch", () => {
  it("asks once for each query, and reports titles, addresses and extracts for this round only", async () => {
    const asked = answerWith(() => Response.json({ results: results(8) }));
    const config = { api_provider: "tavily", tavily_api_key: "key", result_count: 2, chunk_size: 300 };
    const { text } = await search("edge workers | python & rust|edge workers", config);
    expect(asked.map(({ init }) => JSON.parse(String(init.body)).query)).toEqual([
      "edge workers",
      "python & rust",
    ]);
    expect(asked[0]!.init).toMatchObject({ redirect: "manual", headers: { authorization: "Bearer key" } });
    expect(text).toContain("https://site.test/1");
    expect(text).not.toContain("https://site.test/2");
    expect(text).toMatch(/\{\{DELIMITER_START_TEMPORAL\}\}.*\{\{DELIMITER_END_TEMPORAL\}\}/s);
    expect(text.length).toBeLessThan(3000);
  });

  it("escapes what it puts into an address, for each service that is asked by one", async () => {
    const query = "a&b=c #d";
    const answers = {
      google: { items: [{ title: "T", link: "https://t.test", snippet: "S" }] },
      brave: { web: { results: [{ title: "T", url: "https://t.test", description: "S" }] } },
      searxng: { results: [{ title: "T", url: "https://t.test", content: "S" }] },
    };
    const keys = {
      google_api_key: "k",
      google_search_engine_id: "e",
      brave_api_key: "k",
      searxng_url: "https://search.example.org/sub",
    };
    for (const [provider, answer] of Object.entries(answers)) {
      const [asked] = [answerWith(() => Response.json(answer))];
      const { text } = await search(query, { api_provider: provider, ...keys });
      expect(asked[0]!.url.searchParams.get("q")).toBe(query);
      expect(text).toContain("https://t.test");
      vi.restoreAllMocks();
    }
  });

  it("says what to set when it can't search, and asks nobody", async () => {
    const asked = answerWith(() => Response.json({}));
    for (const [config, message] of [
      [{}, /web_search\.api_provider/],
      [{ api_provider: "duckduckgo" }, /no search API/],
      [{ api_provider: "google" }, /web_search\.google_api_key is not set/],
      [{ api_provider: "searxng", searxng_url: "http://127.0.0.1:8080" }, /only https/],
    ] as const) {
      const { round, text } = await search("x", config);
      expect(round.state).toBe("finished");
      expect(text).toMatch(message);
    }
    expect(asked).toEqual([]);
  });

  it("goes on without results when the service fails, and never shows its key", async () => {
    const config = { api_provider: "google", google_api_key: "secret-key", google_search_engine_id: "e" };
    for (const answer of [
      () => new Response("no", { status: 403 }),
      () => new Response("<html>secret-key"),
      () => {
        throw new TypeError("can't reach https://x?key=secret-key");
      },
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
    ]) {
      answerWith(answer);
      const { round, text } = await search("x", config);
      expect(round.state).toBe("finished");
      expect(text).toMatch(/The web can't be searched/);
      expect(JSON.stringify(round)).not.toContain("secret-key");
      vi.restoreAllMocks();
    }
    answerWith(() => Response.json({}));
    expect((await search("x", config)).text).toBe("Nothing was found.");
  });
});

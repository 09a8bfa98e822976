import { afterEach, describe, expect, it, vi } from "vitest";
import { content } from "../../src/content/_content.ts";
import { role as imageReader } from "../../src/roles/image-reader/index.ts";
import { playSession } from "../support/play-round.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

afterEach(() => void vi.restoreAllMocks());

const noFiles = { listUploads: async () => [], listArtifacts: async () => [] };

/** What comes of a request when the network answers so. */
async function look(request: string, answer: () => Response, config: Record<string, unknown> = {}) {
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer());
  const llm = scriptedLlm([{ answer: "A dot." }]);
  const session = await playSession([imageReader], {
    llm,
    files: noFiles,
    prompts: content.prompts,
    roleConfig: { image_reader: imageReader.configSchema!.parse(config) },
  });
  const round = await session.say(request);
  expect(round.state).toBe("finished");
  return { text: round.posts.at(-1)!.message, fetched, llm };
}

describe("an address in the User's request", () => {
  it("is fetched, without following where it leads, and shown by what its bytes are", async () => {
    const { text, fetched, llm } = await look(
      "What is on (https://img.example.org/a?size=2)?",
      () => new Response("GIF89a.", { headers: { "content-type": "text/html" } }),
    );
    expect(text).toBe("A dot.");
    expect(String(fetched.mock.calls[0]![0])).toBe("https://img.example.org/a?size=2");
    expect(fetched.mock.calls[0]![1]).toMatchObject({ redirect: "manual" });
    expect(llm.asked[0]!.at(-1)!.images).toMatchObject([{ mime: "image/gif" }]);
  });

  it.each([
    ["leads elsewhere", () => new Response(null, { status: 302 }), {}, /answered 302/],
    ["is a page", () => new Response("<html>"), {}, /not an image/],
    ["is too large", () => new Response("GIF89a".repeat(9)), { max_image_bytes: 20 }, /too large/],
    ["is not to be fetched", () => new Response("GIF89a"), { allow_urls: false }, /allow_urls is off/],
    ["is down", () => Response.error(), {}, /answered 0|gave no answer/],
  ])("that %s is told of, and no model is asked", async (_what, answer, config, says) => {
    const { text, llm } = await look("See https://img.example.org/a.png", answer, config);
    expect(text).toMatch(says);
    expect(llm.asked).toEqual([]);
  });
});

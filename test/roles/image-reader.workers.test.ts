import { describe, expect, it } from "vitest";
import {
  attached,
  newSession,
  planned,
  python,
  scriptModel,
  send,
  type WireRound,
} from "../support/workers/api.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = btoa("GIF89a\u0001\0\u0001\0\0\0\0;");
const roles = ["planner", "code_interpreter", "image_reader"];
const file = (name: string, content_base64 = PNG) => ({ name, content_base64 });
const answer = (text: string) => ({ answer: text });
const said = ({ post_list }: WireRound) =>
  post_list.findLast(({ send_from }) => send_from === "ImageReader")!;

/** Sends a message with files, with the Planner passing on to the ImageReader what is given. */
async function look(
  options: {
    ask: string;
    request?: string;
    files?: { name: string; content_base64: string }[];
    session?: string;
  },
  ...replies: object[]
) {
  const session = options.session ?? (await newSession({ roles }));
  const script = await scriptModel([
    planned("ImageReader", options.ask),
    ...replies,
    planned("User", "That is it."),
  ]);
  const round = await send(session, `${options.request ?? "look"} ${script.mention}`, options.files);
  expect(round.error).toBeUndefined();
  const requests = await script.requests();
  return { session, round, post: said(round), requests, shown: JSON.stringify(requests) };
}

describe("ImageReader", () => {
  it("shows its model an uploaded image in the round that asks about it, and in no other prompt", async () => {
    const first = await look(
      { ask: "What is in dot.png?", files: [file("dot.png")] },
      answer("A single dot."),
    );
    const [planner, reader, last] = first.requests.map(({ messages }) => messages);
    expect(reader!.at(-1)!.content).toEqual([
      { type: "text", text: expect.stringContaining("Message: What is in dot.png?") },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
    ]);
    expect(JSON.stringify([planner, last])).not.toContain(PNG.slice(0, 30));
    expect(first.post.message).toBe("A single dot.");
    expect(attached(first.post, "image_url")).toEqual(["dot.png"]);
    expect(JSON.stringify(first.round)).not.toContain(PNG.slice(0, 30));

    const next = await look({ session: first.session, ask: "Say that again." }, answer("A dot, still."));
    // One image is there, so it is the one that is meant; the Planner is shown words only.
    expect(next.requests[1]!.messages.at(-1)!.content).toHaveLength(2);
    const { mention, requests } = await scriptModel([planned("User", "It was a dot.")]);
    await send(first.session, `what was it? ${mention}`);
    const [prompt] = await requests();
    expect(JSON.stringify(prompt)).toContain("A single dot.");
    expect(JSON.stringify(prompt)).not.toContain("base64");
  });

  it("finds the images that are named, and asks which are meant when none is", async () => {
    const files = [file("a.png"), file("data.png", GIF), file("notes.txt", btoa("hello"))];
    const named = await look({ ask: "Compare a.png with data.png.", files }, answer("They differ."));
    expect(named.shown).toContain(`data:image/gif;base64,${GIF}`);
    expect(attached(named.post, "image_url")).toEqual(["a.png", "data.png"]);
    const one = await look({ session: named.session, ask: "Describe data.png." }, answer("Empty."));
    expect(attached(one.post, "image_url")).toEqual(["data.png"]);

    const open = await look(
      { session: named.session, ask: "What does the second one show?" },
      { images: ["data.png"] },
      answer("Nothing."),
    );
    expect(open.requests[1]!.messages[0]!.content).toContain("- a.png\n- data.png");
    expect(attached(open.post, "image_url")).toEqual(["data.png"]);
    const none = await look({ session: named.session, ask: "What is the sum?" }, { images: [] });
    expect(none.post.message).toContain("The images of this session: a.png, data.png.");
  });

  it("looks at what code has drawn", async () => {
    const session = await newSession({ roles });
    const made = await scriptModel([
      planned("CodeInterpreter", "Draw it."),
      python(`import base64\nopen("drawn.png", "wb").write(base64.b64decode("${PNG}"))`),
      planned("User", "Drawn."),
    ]);
    await send(session, `draw ${made.mention}`);
    const { post, shown } = await look({ session, ask: "What is in drawn.png?" }, answer("A dot."));
    expect(shown).toContain(`data:image/png;base64,${PNG}`);
    expect(post.message).toBe("A dot.");
  });

  it("says what stands in the way in words that the Planner can act on", async () => {
    const large = btoa(`\x89PNG\r\n\x1a\n${"x".repeat(5_000_001)}`);
    for (const [ask, files, says] of [
      ["Look at it.", undefined, /no images in this session/],
      ["Look at cat.jpg.", [file("dot.png")], /no file cat\.jpg.*/],
      ["Look at fake.png.", [file("fake.png", btoa("no image"))], /fake\.png is not an image/],
      [
        "Look at big.png.",
        [file("big.png", large)],
        /big\.png is too large: 5000009 bytes, and at most 5000000/,
      ],
      ["Look at https://img.example.org/a.png.", undefined, /only addresses in the User's request/],
    ] as const) {
      const { round, post, requests } = await look({ ask, ...(files ? { files: [...files] } : {}) });
      expect(round.state).toBe("finished");
      expect(post.message).toMatch(says);
      expect(requests).toHaveLength(2);
    }
    const inside = "https://10.0.0.1/a.png";
    const { post } = await look({ ask: `Look at ${inside}`, request: `see ${inside}` });
    expect(post.message).toContain("can't be fetched");
    const many = Array.from({ length: 5 }, (_none, at) => file(`p${at}.png`));
    const all = await look(
      { ask: many.map(({ name }) => name).join(" "), files: many },
      answer("Four dots."),
    );
    expect(all.post.message).toMatch(/^Four dots\.\nOnly 4 images/);
  });

  it("takes plain words for an answer, half an answer for none, and a refusal for something to tell", async () => {
    const files = [file("dot.png")];
    const plain = await look({ ask: "dot.png?", files }, { text: "A dot in the middle." });
    expect(plain.post.message).toBe("A dot in the middle.");
    const half = await look({ ask: "dot.png?", files }, { text: "A dot in the", finishReason: "length" });
    expect(half.post.message).toMatch(/can't be used: .*token limit/);
    const blind = await look({ ask: "dot.png?", files }, { status: 400 });
    expect(blind.post.message).toMatch(/the model refuses: .*image_reader\.llm_alias/);
    expect(blind.round.state).toBe("finished");
  });
});

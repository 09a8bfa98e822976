import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startModelTape, type ModelTape } from "../../../dev/model-tape/server.ts";
import type { TapeSettings } from "../../../dev/model-tape/settings.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";

let model: Awaited<ReturnType<typeof startScriptedModel>>;
const folder = mkdtempSync(join(tmpdir(), "tape-"));
const path = join(folder, "cache/mock.yaml");
let tape: ModelTape | undefined;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterEach(async () => {
  await tape?.close();
  rmSync(join(folder, "cache"), { recursive: true, force: true });
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A client whose traffic goes through a tape. */
async function taped(
  mode: TapeSettings["mode"],
  upstream = `${model.url}/v1`,
  more: Partial<TapeSettings> = {},
) {
  await tape?.close();
  const settings = { mode, path, pauseMs: 0, fixedReply: "Hello!", fixedEmbedding: [0, 1], ...more };
  tape = await startModelTape(settings, ["secret-of-the-project"]);
  const baseURL = `${tape.url}/${encodeURIComponent(upstream)}`;
  const client = new OpenAI({ apiKey: "sk-0123456789abcdef0123", baseURL, maxRetries: 0 });
  return {
    async ask(...messages: string[]) {
      const stream = await client.chat.completions.create({
        model: "m",
        stream: true,
        stream_options: { include_usage: true },
        messages: messages.map((content) => ({ role: "user" as const, content })),
      });
      let text = "";
      let tokens: number | undefined;
      for await (const { choices, usage } of stream) {
        text += choices[0]?.delta.content ?? "";
        tokens = usage?.prompt_tokens ?? tokens;
      }
      return { text, tokens };
    },
    embed: async (...input: string[]) =>
      (await client.embeddings.create({ model: "e", input, encoding_format: "float" })).data.map(
        ({ embedding }) => embedding,
      ),
  };
}

const script = (name: string, ...replies: object[]) =>
  fetch(`${model.url}/scripts/${name}`, { method: "PUT", body: JSON.stringify(replies) });

it("records what was asked for the first time, and plays it from then on, also when nobody can be asked", async () => {
  await script("once", { text: "Forty-two, said with ü and 😀." });
  const recording = await taped("playback_or_record");
  const first = await recording.ask("[script once] how many?");
  expect(first).toEqual({ text: "Forty-two, said with ü and 😀.", tokens: 100 });
  expect(await recording.ask("[script once] how many?")).toEqual(first);

  const playing = await taped("playback_only", "http://127.0.0.1:9/v1");
  expect(await playing.ask("[script once] how many?")).toEqual(first);
});

it("finds a prompt again whatever the time and the ids in it", async () => {
  await script("time", { text: "noon" });
  await (
    await taped("record_only")
  ).ask("[script time] It is 2026-11-21 12:00 UTC, post-20261121-111252-1a2b3c4d-2 asks.");
  const { ask } = await taped("playback_only");
  expect(
    (await ask("[script time] It is 2027-01-02 08:30 UTC, post-20270102-083011-ffffffff-2 asks.")).text,
  ).toBe("noon");
});

it("says in which message a prompt leaves the tape, and asks nobody", async () => {
  await script("known", { text: "yes" });
  await (await taped("record_only")).ask("[script known] a", "b");
  const { ask } = await taped("playback_only");
  await expect(ask("[script known] a", "something else")).rejects.toThrow(
    /400 The tape .*mock\.yaml has no reply to this prompt: it differs in message 2 of 2 \(user: "something else"\)\. Record it with/,
  );
});

it("holds no secret: no key, none that was said, none of the project's", async () => {
  await script("secrets", { text: "ok" });
  await (await taped("record_only")).ask("[script secrets] password=hunter2222 secret-of-the-project");
  const text = readFileSync(path, "utf8");
  expect(text).toContain("[script secrets]");
  expect(text).not.toMatch(/hunter2222|secret-of-the-project|sk-0123/);
});

it("keeps nothing of a failure or of a reply that broke off", async () => {
  await script("bad", { status: 429 }, { text: "half a rep", breakOff: true });
  const { ask } = await taped("playback_or_record");
  await expect(ask("[script bad] once")).rejects.toThrow("429");
  await expect(ask("[script bad] twice")).rejects.toThrow("terminated");
  expect(existsSync(path)).toBe(false);
});

it("records again over what it had, when told to", async () => {
  await script("anew", { text: "old" }, { text: "new" });
  const { ask } = await taped("record_only");
  expect((await ask("[script anew]")).text).toBe("old");
  expect((await ask("[script anew]")).text).toBe("new");
  expect((await (await taped("playback_only")).ask("[script anew]")).text).toBe("new");
});

it("tapes embeddings text by text", async () => {
  const recorded = await (await taped("playback_or_record")).embed("a red car", "a film");
  const { embed } = await taped("playback_only", "http://127.0.0.1:9/v1");
  expect(await embed("a film", "a red car")).toEqual(recorded.toReversed());
  await expect(embed("unknown")).rejects.toThrow("no embedding of this text");
});

it("says always the same when it is fixed, in words or as a message in TaskWeaver's way", async () => {
  const nobody = "http://127.0.0.1:9/v1";
  expect((await (await taped("fixed", nobody)).ask("anything")).text).toBe("Hello!");
  const asMessage = { fixedReply: '{"role": "assistant", "content": "Hi."}' };
  const { ask, embed } = await taped("fixed", nobody, asMessage);
  expect((await ask("anything")).text).toBe("Hi.");
  expect(await embed("x")).toEqual([[0, 1]]);
});

it("takes its time when it is to be watched", async () => {
  const { ask } = await taped("fixed", "http://127.0.0.1:9/v1", { pauseMs: 30, fixedReply: "x".repeat(200) });
  const started = performance.now();
  await ask("slowly");
  expect(performance.now() - started).toBeGreaterThan(150);
});

it("refuses a file that is no tape, and says what to do", async () => {
  await (await taped("fixed")).ask("x");
  const broken = join(folder, "broken.yaml");
  writeFileSync(broken, "completion_store: [1]");
  await expect(taped("fixed", undefined, { path: broken })).rejects.toThrow(
    /The tape .*broken\.yaml can't be read\. Mend it, or delete it to record anew\.\n.*completion_store/s,
  );
});

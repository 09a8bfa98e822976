import { describe, expect, it } from "vitest";
import type { ChatMessage, Llm } from "../../src/llm/llm.ts";
import { defineRole } from "../../src/roles/role.ts";
import { summarySection } from "../../src/roles/summary-section.ts";
import { playSession } from "../support/play-round.ts";

const size = (messages: ChatMessage[]) => messages.reduce((sum, { content }) => sum + content.length, 0);

/** Answers by what it is asked for: a summary that says how much it was told, or a sentence of some length. */
function talkativeLlm(options: { failsAt?: (call: number) => boolean } = {}) {
  const prompts: ChatMessage[][] = [];
  const folded: ChatMessage[][] = [];
  const llm: Llm = {
    chat(messages) {
      const isSummary = messages[0]!.content.startsWith("Summarise.");
      (isSummary ? folded : prompts).push(messages);
      const text = isSummary
        ? `Summary ${folded.length}.`
        : `Answer ${prompts.length}. ${"word ".repeat(40)}`;
      if (isSummary && options.failsAt?.(folded.length)) throw new Error("no summary today");
      return {
        result: async () => ({ text, finishReason: "stop", promptTokens: 10, completionTokens: 1 }),
        async *[Symbol.asyncIterator]() {
          yield text;
        },
      };
    },
  };
  return { llm, prompts, folded };
}

/** Tells its model all that it remembers. */
const rememberer = (memory: "whole" | "compressed" = "compressed") =>
  defineRole({
    name: "planner",
    alias: "Planner",
    intro: "",
    memory,
    async reply(turn) {
      const told = turn.memory.rounds.flatMap(({ posts }) => posts.map(({ message }) => message));
      const content = [...summarySection(turn), ...told].join("\n");
      turn.post.write((await turn.llm.chat([{ role: "user", content }]).result()).text);
      turn.post.sendTo("User");
    },
  });

function session(
  model: ReturnType<typeof talkativeLlm>,
  settings: { maxTokens?: number; byRounds?: { compress: number; retain: number } } | false = {},
) {
  return playSession([rememberer()], {
    llm: model.llm,
    compression: () =>
      settings === false
        ? undefined
        : { maxTokens: 1000, ...settings, prompt: "Summarise. So far: {PREVIOUS_SUMMARY}", llm: model.llm },
  });
}

describe("a role's memory", () => {
  it("stays within its limit: the prompt of round 200 is no larger than that of round 20", async () => {
    const model = talkativeLlm();
    const played = await session(model);
    for (let round = 1; round <= 200; round++) await played.say(`Question ${round}.`);
    expect(size(model.prompts[199]!)).toBeLessThan(1.3 * size(model.prompts[19]!));
    const last = model.prompts[199]!.map(({ content }) => content).join("\n");
    expect(last).toContain(`Summary ${model.folded.length}.`);
    expect(last).toContain("Question 200.");
    expect(last).toContain("Question 199.");
    expect(last).not.toContain("Question 100.");
    // Each summary goes on from the one before.
    expect(model.folded[1]![0]!.content).toBe("Summarise. So far: Summary 1.");
    const { rounds, horizon } = (await played.store.openRound(played.ref, {
      id: "next",
      userQuery: "?",
      createdAt: 1,
      fence: 1000,
    }))!;
    // Nor is it loaded: what is folded is passed.
    expect(rounds.length).toBeLessThan(25);
    expect(horizon!.upTo + rounds.length).toBe(201);
    expect((await played.store.loadConversation(played.ref))!.rounds).toHaveLength(201);
  });

  it("goes by rounds where TaskWeaver's keys say so", async () => {
    const model = talkativeLlm();
    const played = await session(model, { maxTokens: 100_000, byRounds: { compress: 2, retain: 3 } });
    for (let round = 1; round <= 9; round++) await played.say(`Question ${round}.`);
    const shown = model.prompts.map((prompt) => prompt[0]!.content.match(/Question \d+/g)!.length);
    expect(shown).toEqual([1, 2, 3, 4, 3, 4, 3, 4, 3]);
  });

  it("is shown in full where it is not to be compressed", async () => {
    const model = talkativeLlm();
    const played = await session(model, false);
    for (let round = 1; round <= 30; round++) await played.say(`Question ${round}.`);
    expect(model.folded).toEqual([]);
    expect(model.prompts[29]![0]!.content).toContain("Question 1.");
  });

  it("is kept whole when no summary can be made, and a warning says so once a round", async () => {
    const model = talkativeLlm({ failsAt: (call) => call < 3 });
    const played = await session(model, { maxTokens: 300 });
    for (let round = 1; round <= 9; round++)
      expect((await played.say(`Question ${round}.`)).state).toBe("finished");
    const warnings = played.events.filter(({ type }) => type === "warning");
    expect(warnings.map(({ data }) => (data as { code: string }).code)).toEqual([
      "compression_failed",
      "compression_failed",
    ]);
    const shown = (round: number) => model.prompts[round - 1]![0]!.content;
    expect(shown(8)).toContain("Question 1.");
    expect(shown(9)).toContain("Summary 3.");
    expect(shown(9)).not.toContain("Question 1.");
  });

  it("loses nothing that roles share, nor the count of tokens, with the rounds that it passes", async () => {
    const model = talkativeLlm();
    const sharer = defineRole({
      ...rememberer(),
      async reply(turn) {
        if (turn.query === "share") {
          turn.shared.put({ type: "guide", content: "mind the gap", scope: "conversation" });
          turn.signals.set("mode", "fast");
        }
        await turn.llm.chat([{ role: "user", content: "x" }]).result();
        turn.post.write(
          `${turn.shared.get("guide")[0]?.content} ${turn.signals.get("mode")} ${"word ".repeat(60)}`,
        );
        turn.post.sendTo("User");
      },
    });
    const played = await playSession([sharer], {
      llm: model.llm,
      sessionTokens: 500,
      compression: () => ({ maxTokens: 300, prompt: "Summarise.", llm: model.llm }),
    });
    await played.say("share");
    const answers = [];
    for (let round = 0; round < 60; round++) answers.push(await played.say("go on"));
    const finished = answers.filter(({ state }) => state === "finished");
    for (const { posts } of finished) expect(posts.at(-1)!.message).toMatch(/^mind the gap fast/);
    expect(finished.length).toBeGreaterThan(20);
    // 11 tokens a call, summaries included: the limit is reached though most rounds are no longer loaded.
    expect(answers.at(-1)).toMatchObject({ state: "failed", error: { code: "token_limit" } });
  });
});

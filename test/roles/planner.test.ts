import { describe, expect, it } from "vitest";
import { content } from "../../src/content/_content.ts";
import { role as echo } from "../../src/roles/echo/index.ts";
import { role as planner } from "../../src/roles/planner/index.ts";
import type { Llm } from "../../src/llm/llm.ts";
import type { Role } from "../../src/roles/role.ts";
import { playSession } from "../support/play-round.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

const planned = (sendTo: string, message: string, more: Record<string, unknown> = {}) => ({
  plan_reasoning: "It follows.",
  init_plan: "1. say it\n2. tell <interactively depends on 1>",
  plan: "1. say it and tell",
  current_plan_step: "1. say it",
  stop: sendTo === "User" ? "Completed" : "InProcess",
  send_to: sendTo,
  message,
  ...more,
});

/** A model that answers with these texts as they are. */
function textLlm(texts: string[], finishReason: "stop" | "length" = "stop"): Llm & { asked: number } {
  const llm = {
    asked: 0,
    chat: () => {
      const text = texts[Math.min(llm.asked++, texts.length - 1)]!;
      return {
        result: async () => ({ text, finishReason, promptTokens: 1, completionTokens: 1 }),
        async *[Symbol.asyncIterator]() {
          yield* text.match(/[\s\S]{1,5}/g) ?? [];
        },
      };
    },
  };
  return llm;
}

const play = (llm: Llm, cast: Role[] = [planner, echo]) =>
  playSession(cast, { llm, prompts: content.prompts, roleConfig: { echo: { decorator: "" } } });
const attached = (post: { attachments: { type: string; content: unknown }[] }, type: string) =>
  post.attachments.filter((attachment) => attachment.type === type).map((attachment) => attachment.content);

describe("the Planner", () => {
  it("shares its plan for the round, and puts the request with the plan on the board", async () => {
    const llm = scriptedLlm([planned("Echo", "hello"), planned("User", "They said hello.")]);
    const session = await play(llm);
    const round = await session.say("greet");
    expect(round).toMatchObject({ state: "finished", stop: "Completed" });
    const [, first] = round.posts;
    expect(attached(first!, "init_plan")[0]).toContain("<interactively depends on 1>");
    const shared = first!.attachments.find(({ type }) => type === "shared_memory_entry")!;
    expect(shared.extra).toMatchObject({ type: "plan", content: "1. say it and tell", scope: "round" });
    expect(attached(first!, "board")[0]).toMatch(/greet[\s\S]*1\. say it and tell/);
    const schema = JSON.stringify(llm.schemas[0]);
    expect(schema).toContain('"enum":["Echo","User"]');
    expect(llm.asked[0]![0]!.content).toMatch(/Echo repeats[\s\S]*sequentially depends on/);
  });

  it("works alone: then it can only answer", async () => {
    const llm = scriptedLlm([planned("User", "I am alone.")]);
    const round = await (await play(llm, [planner])).say("hi");
    expect(round.posts.at(-1)!.message).toBe("I am alone.");
    expect(JSON.stringify(llm.schemas[0])).toContain('"enum":["User"]');
  });

  it.each([
    ["a receiver that isn't there", planned("Nobody", "x"), /must be one of: Echo, User/],
    ["no receiver", planned("", "x"), /"send_to" is ""/],
    ["an empty plan", planned("Echo", "x", { plan: " " }), /"plan" is missing or empty/],
    ["an empty message", planned("User", "  "), /"message" is missing or empty/],
  ])("corrects itself after %s, and the User never sees it", async (_what, bad, complaint) => {
    const llm = scriptedLlm([bad, planned("User", "Good.")]);
    const session = await play(llm);
    const round = await session.say("hi");
    expect(round.state).toBe("finished");
    expect(round.posts.map(({ sendFrom, sendTo }) => `${sendFrom} > ${sendTo}`)).toEqual([
      "User > Planner",
      "Planner > Planner",
      "Planner > User",
    ]);
    expect(attached(round.posts[1]!, "revise_message")[0]).toMatch(complaint);
    expect(attached(round.posts[1]!, "plan")).toEqual([]);
    const withdrawn = session.events.filter(({ type }) => type === "post_error");
    expect(withdrawn).toHaveLength(1);
    expect(llm.asked[1]!.at(-1)!.content).toMatch(complaint);
  });

  it("takes an unknown key for nothing, wherever it stands", async () => {
    const { send_to: sendTo, ...rest } = planned("User", "Fine.");
    const text = JSON.stringify({ response: { extra: "yyy", ...rest, more: { a: [1] }, send_to: sendTo } });
    const round = await (await play(textLlm([text]))).say("hi");
    expect(round.posts.at(-1)).toMatchObject({ sendTo: "User", message: "Fine." });
    expect(attached(round.posts.at(-1)!, "init_plan")).toEqual([planned("User", "").init_plan]);
  });

  it("doesn't pass on a reply that was cut off, however complete it looks", async () => {
    const cutOff = JSON.stringify({ response: planned("User", "Half a sen") });
    const llm = textLlm([cutOff], "length");
    const round = await (await play(llm)).say("hi");
    expect(round).toMatchObject({ state: "failed", error: { code: "role_failed" } });
    expect(round.error!.message).toContain("token limit");
    expect(round.posts.every(({ sendTo }) => sendTo === "Planner")).toBe(true);
    expect(llm.asked).toBe(4);
  });

  it("counts its corrections by the round: an earlier round's are forgotten", async () => {
    const bad = planned("Nobody", "x");
    const replies = [bad, bad, bad, planned("User", "1"), bad, bad, bad, planned("User", "2")];
    const session = await play(scriptedLlm(replies));
    expect((await session.say("one")).state).toBe("finished");
    expect((await session.say("two")).state).toBe("finished");
  });
});

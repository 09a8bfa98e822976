import { describe, expect, it } from "vitest";
import { role as planner } from "../../src/roles/planner/index.ts";
import { role as identifier } from "../../src/roles/task-type-identifier/index.ts";
import { content } from "../../src/content/_content.ts";
import { playSession } from "../support/play-round.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

const planned = (sendTo: string, message: string) => ({
  plan_reasoning: "-",
  init_plan: "1. go",
  plan: "1. go",
  current_plan_step: "1. go",
  stop: "Completed",
  send_to: sendTo,
  message,
});

async function identify(message: string, config: Record<string, unknown>, ...replies: object[]) {
  const llm = scriptedLlm([planned("TaskTypeIdentifier", message), ...replies, planned("User", "done")]);
  const session = await playSession([planner, identifier], {
    llm,
    prompts: content.prompts,
    roleConfig: { task_type_identifier: identifier.configSchema!.parse(config) },
  });
  const round = await session.say("Do task T-7 for me.");
  const said = round.posts.find(({ sendFrom }) => sendFrom === "TaskTypeIdentifier");
  return { round, said, llm };
}
const signal = { type: "signal", content: "_signal_exp_sub_path:refunds" };

describe("TaskTypeIdentifier", () => {
  it("goes by the first pattern that fits what it is sent, then the User's request, and signals the type", async () => {
    const patterns = { "R-\\d+": "refunds", "T-7": "taxes" };
    const { said } = await identify("Which type is R-12?", { patterns });
    expect(said!.attachments).toMatchObject([signal]);
    expect(said!.message).toBe("The task is of type refunds.");
    const { said: other } = await identify("Which type is it?", { patterns });
    expect(other!.attachments).toMatchObject([{ ...signal, content: "_signal_exp_sub_path:taxes" }]);
  });

  it("asks the model where no pattern fits, and signals only a type that there is", async () => {
    const types = { task_types: { refunds: "Money back.", taxes: "Tax returns." } };
    const { said, llm } = await identify("Somebody wants money back.", types, { task_type: "refunds" });
    expect(said!.attachments).toMatchObject([signal]);
    expect(llm.asked[1]![0]!.content).toContain("- taxes: Tax returns.");
    for (const reply of [{ task_type: "unknown" }, { task_type: "../etc" }, { other: "x" }]) {
      const { said: none, round } = await identify("What is this?", types, reply);
      expect(none!.attachments).toEqual([]);
      expect(none!.message).toContain("not known");
      expect(round.state).toBe("finished");
    }
  });

  it("says what to set when it knows no types, and takes no type that leads out of its folder", async () => {
    const { round } = await identify("?", {});
    expect(round).toMatchObject({ state: "failed", error: { code: "role_failed" } });
    expect(round.error!.message).toContain("task_type_identifier.patterns");
    const parse = (config: unknown) => identifier.configSchema!.safeParse(config).success;
    expect(parse({ patterns: { a: "../b" } })).toBe(false);
    expect(parse({ patterns: { "(": "b" } })).toBe(false);
    expect(parse({ patterns: { "a|b": "c/d" } })).toBe(true);
  });
});

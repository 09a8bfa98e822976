import { expect, it } from "vitest";
import type { ChatMessage, Llm } from "../../src/llm/llm.ts";
import { role as codeInterpreter } from "../../src/roles/code-interpreter/index.ts";
import { defineRole } from "../../src/roles/role.ts";
import { playSession } from "../support/play-round.ts";

it("a data scientist's guide reaches the CodeInterpreter's model though the Planner leaves it out", async () => {
  const steps: [to: string, message: string][] = [
    ["DataScientist", "How should we look for anomalies?"],
    ["CodeInterpreter", "Find the anomalies."],
    ["User", "Done."],
  ];
  const planner = defineRole({
    name: "planner",
    alias: "Planner",
    intro: "",
    async reply(turn) {
      const sent = turn.memory.rounds.at(-1)!.posts.filter(({ sendFrom }) => sendFrom === "Planner").length;
      turn.board.write(`The User's request: ${turn.query}`);
      turn.post.sendTo(steps[sent]![0]);
      turn.post.write(steps[sent]![1]);
    },
  });
  const scientist = defineRole({
    name: "data_scientist",
    alias: "DataScientist",
    intro: "Knows statistics.",
    async reply(turn) {
      turn.shared.put({
        type: "guide",
        content: "Take the median and the quartiles, not the mean.",
        scope: "round",
      });
      turn.shared.put({ type: "experience_sub_path", content: "type_7", scope: "round" });
      turn.post.write("I have shared a guide.");
    },
  });
  let prompt: ChatMessage[] = [];
  const llm: Llm = {
    chat(messages) {
      prompt = messages;
      const text = JSON.stringify({
        response: { thought: "-", reply_type: "text", reply_content: "None found." },
      });
      const result = async () => ({
        text,
        finishReason: "stop" as const,
        promptTokens: 1,
        completionTokens: 1,
      });
      return {
        result,
        async *[Symbol.asyncIterator]() {
          yield text;
        },
      };
    },
  };
  const session = await playSession([planner, scientist, codeInterpreter], {
    llm,
    roleConfig: {
      code_interpreter: { max_retry_count: 3, timeout: 60, role_name: "Coder", load_plugin: true },
    },
  });
  const round = await session.say("Are there anomalies in my data?");
  expect(round.state).toBe("finished");
  const asked = prompt.at(-1)!.content;
  expect(asked).toContain(
    "Shared by DataScientist (guide):\nTake the median and the quartiles, not the mean.",
  );
  expect(asked).toContain("On the board from Planner:\nThe User's request: Are there anomalies in my data?");
  expect(asked).toMatch(/From: Planner\nMessage: Find the anomalies\.$/);
  expect(asked).not.toContain("type_7");
});

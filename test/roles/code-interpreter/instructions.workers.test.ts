import { describe, expect, it } from "vitest";
import {
  attached,
  newSession,
  planned,
  python,
  scriptModel,
  send,
  type WireRound,
} from "../../support/workers/api.ts";

const own = ({ post_list }: WireRound) =>
  post_list.filter(({ send_from }) => send_from === "CodeInterpreter");

describe("an instruction to the CodeInterpreter", () => {
  it("has all its tries, whatever the one before it used up", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "First."),
      python("1 / 0"),
      python("1 / 0"),
      python("'first'"),
      planned("CodeInterpreter", "Second."),
      python("1 / 0"),
      python("1 / 0"),
      python("'second'"),
      planned("User", "Done."),
    ]);
    const round = await send(session, `two things ${mention}`);
    expect(round.state).toBe("finished");
    expect(own(round).map(({ send_to }) => send_to)).toEqual([
      "CodeInterpreter",
      "CodeInterpreter",
      "Planner",
      "CodeInterpreter",
      "CodeInterpreter",
      "Planner",
    ]);
    expect(own(round).at(-1)!.message).toContain("Value: 'second'");
  });

  it("keeps the request, the plan and the board before the model while it corrects itself", async () => {
    const session = await newSession();
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Divide."),
      python("1 / 0"),
      { text: '{"response": {"thought": "cut' },
      python("1"),
      planned("User", "1"),
    ]);
    await send(session, `divide the numbers ${mention}`);
    const asked = (await requests()).slice(1, 4).map(({ messages }) => messages.at(-1)!.content);
    expect(asked).toHaveLength(3);
    for (const content of asked) {
      expect(content).toContain("The User's request: divide the numbers");
      expect(content).toContain("Shared by Planner (plan):\n1. do it");
      expect(content).toContain("On the board from Planner:");
    }
  });

  it("tells the model which variables the interpreter holds, also in later rounds", async () => {
    const session = await newSession();
    const first = await scriptModel([
      planned("CodeInterpreter", "Make a list."),
      python("prices = [1.5, 2.5]\nprices"),
      planned("User", "Made."),
    ]);
    await send(session, `a list ${first.mention}`);
    const second = await scriptModel([
      planned("CodeInterpreter", "Add it up."),
      python("import subprocess"),
      python("sum(prices)"),
      planned("User", "4"),
    ]);
    await send(session, `add ${second.mention}`);
    const asked = (await second.requests()).slice(1, 3).map(({ messages }) => messages.at(-1)!.content);
    for (const content of asked)
      expect(content).toMatch(/Variables in the interpreter:\n- prices \(list\): 2 items/);
  });

  it("never runs an answer in words, wherever its kind stands in the reply", async () => {
    const session = await newSession();
    const words = "open('ran.txt', 'w')";
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Explain."),
      { reply_content: words, thought: "No code.", reply_type: "text" },
      planned("CodeInterpreter", "Look."),
      python("import os\nos.path.exists('ran.txt')"),
      planned("User", "Done."),
    ]);
    const round = await send(session, `explain ${mention}`);
    const [text, look] = own(round);
    expect(text!.message).toBe(words);
    expect(attached(text!, "execution_status")).toEqual([]);
    expect(look!.message).toContain("Value: False");
  });

  it("reports value and output, cut in their middles, and an error to its last line", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Print."),
      python("print('begin' + 'x' * 20000 + 'finish')\n'start' + 'y' * 20000 + 'stop'"),
      planned("CodeInterpreter", "Fail."),
      ...Array.from({ length: 4 }, () => python("raise ValueError('a' * 20000 + ' the end')")),
      planned("User", "Done."),
    ]);
    const round = await send(session, `print ${mention}`);
    const [printed] = own(round);
    expect(printed!.message).toMatch(/Value: 'starty+\n… \d+ more characters …\ny+stop'/);
    expect(printed!.message).toMatch(/Output:\nbeginx+\n… \d+ more characters …\nx+finish/);
    expect(own(round).at(-1)!.message).toMatch(/ValueError: a+[\s\S]* the end$/);
    expect(own(round).at(-1)!.message.length).toBeLessThan(10_000);
  });
});

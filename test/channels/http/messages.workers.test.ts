import { describe, expect, it } from "vitest";
import { call, newSession, planned, python, scriptModel, send } from "../../support/workers/api.ts";

describe("a message", () => {
  it("goes through Planner, CodeInterpreter and the real interpreter to an answer", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Multiply 6 by 7."),
      python("print('working')\n6 * 7"),
      planned("User", "It is 42."),
    ]);
    const round = await send(session, `what is 6 times 7? ${mention}`);
    expect(round.error).toBeUndefined();
    expect(round.state).toBe("finished");
    expect(round.stop).toBe("Completed");
    expect(round.post_list.map(({ send_from, send_to }) => `${send_from} to ${send_to}`)).toEqual([
      "User to Planner",
      "Planner to CodeInterpreter",
      "CodeInterpreter to Planner",
      "Planner to User",
    ]);
    expect(round.post_list[2]!.message).toContain("It succeeded.\nValue: 42\nOutput:\nworking");
    expect(round.post_list[3]!.message).toBe("It is 42.");
    expect(round.usage.model_calls).toBe(3);

    const stored = await call(`/v1/sessions/${session}/rounds/${round.id}`);
    expect(await stored.json()).toEqual(round);
  });
});

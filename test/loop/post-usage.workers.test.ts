import { expect, it } from "vitest";
import { call, newSession, planned, python, scriptModel, send } from "../support/workers/api.ts";

it("each Post says what its turn cost, as a part of its round's receipt; no prompt does", async () => {
  const session = await newSession({ roles: ["planner", "code_interpreter", "echo"] });
  const script = await scriptModel([
    planned("CodeInterpreter", "Add up."),
    python("1 + 1"),
    planned("Echo", "two"),
    planned("User", "It is 2."),
  ]);
  const round = await send(session, `add up ${script.mention}`);
  const costs = round.post_list.map(({ usage }) => usage);
  const ofModel = { model_calls: 1, prompt_tokens: 100, completion_tokens: 10 };
  const [ofUser, ofPlanner, ofCode, ofPlan, ofEcho, ofAnswer] = costs;
  expect([ofUser, ofEcho]).toEqual([undefined, undefined]);
  expect([ofPlanner, ofCode, ofPlan, ofAnswer]).toMatchObject([
    { ...ofModel, sandbox_ms: 0 },
    ofModel,
    ofModel,
    ofModel,
  ]);
  expect(ofCode!.sandbox_ms).toBeGreaterThan(0);
  for (const key of [
    "model_calls",
    "prompt_tokens",
    "completion_tokens",
    "model_ms",
    "sandbox_ms",
  ] as const) {
    const sum = costs.reduce((total, cost) => total + (cost?.[key] ?? 0), 0);
    expect([key, sum]).toEqual([key, round.usage[key]]);
  }
  const stored = await (await call(`/v1/sessions/${session}/rounds/${round.id}`)).json();
  expect(stored).toEqual(round);
  const explained = (await (await call(`/v1/sessions/${session}/rounds/${round.id}?explain=1`)).json()) as {
    post_list: { usage?: object; trace: object }[];
  };
  expect(explained.post_list[2]!.usage).toEqual(ofCode);
  expect(Object.keys(explained.post_list[2]!.trace)).not.toContain("usage");
  expect(JSON.stringify(await script.requests())).not.toContain("model_calls");

  const file: unknown = await (await call(`/v1/sessions/${session}/export`)).json();
  await call("/v1/sessions/import?id=the-copy", { json: file });
  const copy = await (await call(`/v1/sessions/the-copy/rounds/${round.id}`)).json();
  expect(copy).toMatchObject({ post_list: round.post_list });
});

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import worker from "../../src/index.ts";
import { planned, scriptModel, type WireRound } from "../support/workers/api.ts";

/** The Worker with other settings. */
function deployment(settings: Record<string, string>) {
  const own = { ...env, ...settings };
  return async function call(path: string, body?: unknown): Promise<Response> {
    const context = createExecutionContext();
    const headers = { authorization: "Bearer key-of-alice", "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await worker.fetch(
      new Request(`https://taskweaver.test${path}`, { headers, ...init }),
      own,
      context,
    );
    await waitOnExecutionContext(context);
    return response;
  };
}

async function play(
  call: ReturnType<typeof deployment>,
  message: string,
  replies: object[] = [planned("User", "done")],
) {
  const { id: session } = (await (await call("/v1/sessions", {})).json()) as { id: string };
  const script = await scriptModel(replies);
  const response = await call(`/v1/sessions/${session}/messages`, {
    message: `${message} ${script.mention}`,
  });
  const round = (await response.json()) as WireRound;
  expect(round.state).toBe("finished");
  const prompts = (await script.requests()).map(({ messages }) => messages[0]!.content);
  return { session, round, prompts };
}

const question = "add up the numbers of the csv, they have thousands separators";

it("lessons cost a round nothing while they are off, and one round trip a turn when they are on", async () => {
  const off = await play(deployment({}), question);
  expect(off.prompts[0]).not.toContain("thousands separators. Look");
  const on = deployment({ PLANNER_USE_EXPERIENCE: "true" });
  // The first use has the project's lessons brought into the database.
  await play(on, question);
  const { prompts, round } = await play(on, question);
  expect(prompts[0]).toContain("Columns of numbers in a CSV often hold blanks");
  expect(round.usage.d1.round_trips).toBe(off.round.usage.d1.round_trips + 1);
  // What has nothing to do with it isn't shown.
  expect((await play(on, "hello")).prompts[0]).not.toContain("Columns of numbers");
});

it("a round goes on by words when the embedding service is down", async () => {
  const settings = {
    PLANNER_USE_EXPERIENCE: "true",
    LLM_EMBEDDING_API_TYPE: "openai",
    OPENAI_EMBEDDING_MODEL: "down",
  };
  const { prompts } = await play(deployment(settings), question);
  expect(prompts[0]).toContain("Columns of numbers in a CSV often hold blanks");
});

it("a round that was liked is learned from once, if the deployment wants that", async () => {
  interface Saved {
    session_id: string;
    exp_id: string;
    state: string;
    experience_text: string;
  }
  const learned = async (call: ReturnType<typeof deployment>, session: string) => {
    const { data } = (await (await call("/v1/experiences?limit=100")).json()) as { data: Saved[] };
    return data.filter(({ session_id }) => session_id === session);
  };
  const replies = [
    planned("User", "done"),
    { text: "Otters: feed them first." },
    { text: "Otters: never twice." },
  ];
  const rate = async (settings: Record<string, string>, score: number, times: number) => {
    const call = deployment(settings);
    const { session, round } = await play(call, "how do I keep otters?", replies);
    for (let n = 0; n < times; n++) {
      expect((await call(`/v1/sessions/${session}/rounds/${round.id}/feedback`, { score })).status).toBe(204);
    }
    for (let tries = 0; tries < 100; tries++) {
      const found = await learned(call, session);
      if (found.every(({ state }) => state !== "pending")) return { found, round };
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    throw new Error("The lesson was not drawn.");
  };
  expect((await rate({}, 1, 1)).found).toEqual([]);
  expect((await rate({ EXPERIENCE_LEARN_FROM_SCORE: "0.8" }, 0.5, 1)).found).toEqual([]);
  const { found, round } = await rate({ EXPERIENCE_LEARN_FROM_SCORE: "0.8" }, 0.9, 2);
  expect(found).toMatchObject([
    { exp_id: round.id, state: "ready", experience_text: "Otters: feed them first." },
  ]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "../../support/launcher.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";
import { createProject } from "../content/project.ts";

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

async function call(url: string, path: string, body: object) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as {
    id: string;
    state: string;
    error?: { code: string; message: string };
    post_list: { send_from: string; message: string }[];
  };
}

/** A round in a session of its own. */
async function ask(url: string, message: string) {
  const { id } = await call(url, "/v1/sessions", { roles: ["planner", "code_interpreter"] });
  const round = await call(url, `/v1/sessions/${id}/messages`, { message });
  return { ...round, said: round.post_list.map((post) => `${post.send_from}: ${post.message}`) };
}

it("a project's rounds are recorded once with a model, and tested without one from then on", async () => {
  const project = createProject({ "taskweaver_config.json": '{"llm.use_mock": true}' });
  const plan = { plan_reasoning: "-", init_plan: "1. add", plan: "1. add", current_plan_step: "1. add" };
  const replies = [
    { ...plan, stop: "InProcess", send_to: "CodeInterpreter", message: "Add 20 and 22." },
    { thought: "Add.", reply_type: "python", reply_content: "20 + 22" },
    { ...plan, stop: "Completed", send_to: "User", message: "It is 42." },
  ].map((response) => ({ text: JSON.stringify({ response }) }));
  await fetch(`${model.url}/scripts/sum`, { method: "PUT", body: JSON.stringify(replies) });
  const args = ["--project", project.path];

  let recorded;
  {
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "key-of-the-model-service" };
    await using server = launch("start", { args, env });
    const url = await server.ready();
    expect(server.output()).toContain(`the model's answers: playback_or_record, ${project.path}`);
    recorded = await ask(url, "[script sum] What is 20 + 22?");
    expect(recorded).toMatchObject({ state: "finished" });
    expect(recorded.said.at(-1)).toBe("Planner: It is 42.");
  }
  expect(readFileSync(join(project.path, "cache/mock.yaml"), "utf8")).not.toContain("key-of-the-model");

  await using server = launch("start", { args, env: { LLM_MOCK_MODE: "playback_only" } });
  const url = await server.ready();
  const played = await ask(url, "[script sum] What is 20 + 22?");
  expect(played.said).toEqual(recorded.said);
  const unknown = await ask(url, "What is 1 + 1?");
  expect(unknown).toMatchObject({ state: "failed", error: { code: "model_rejected" } });
  expect(unknown.error?.message).toMatch(/The tape .* has no reply to this prompt: it differs in message \d/);
}, 180_000);

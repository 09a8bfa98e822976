import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deploymentOf } from "../../src/app.ts";
import { createHttp } from "../../src/channels/http/http.ts";
import { planned, python, scriptModel } from "../support/workers/api.ts";

/** What the models of a round are shown as the system's, by a deployment with these settings. */
async function systemPrompts(settings: Record<string, string>): Promise<string[]> {
  const other = { ...env, ...settings } as unknown as Env;
  const http = createHttp(() => deploymentOf(other));
  const post = async (path: string, json: unknown) => {
    const headers = { authorization: "Bearer key-of-alice", "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(json) };
    return (await http.request(path, init, other, createExecutionContext())).json();
  };
  const { id } = (await post("/v1/sessions", {})) as { id: string };
  const script = await scriptModel([
    planned("CodeInterpreter", "Add."),
    python("1 + 1"),
    planned("User", "2"),
  ]);
  expect(await post(`/v1/sessions/${id}/messages`, { message: `add ${script.mention}` })).toMatchObject({
    state: "finished",
  });
  return (await script.requests()).map(({ messages }) => messages[0]!.content);
}

it("prompts hold their safety rules unless the config leaves them out", async () => {
  const [planner, coder] = await systemPrompts({});
  expect(planner).toContain("## Safety\n- The User asks for results, not for code to be run.");
  expect(coder).toContain("## Safety\n- You write your own code.");
  for (const prompt of await systemPrompts({ PROMPTS_SAFETY_RULES: "false" })) {
    expect(prompt).not.toContain("## Safety");
  }
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { content } from "../../../src/content/_content.ts";
import { attachmentsOf } from "../../../src/memory/post.ts";
import { pluginSpec, type Plugin } from "../../../src/plugins/plugin.ts";
import { role } from "../../../src/roles/code-interpreter-plugin-only/index.ts";
import { createSandbox } from "../../../src/sandbox/http/index.ts";
import { playSession } from "../../support/play-round.ts";
import { startSandboxServer } from "../../support/sandbox-server.ts";
import { scriptedLlm } from "../../support/scripted-llm.ts";

let server: Awaited<ReturnType<typeof startSandboxServer>>;
beforeAll(async () => {
  server = await startSandboxServer();
});
afterAll(() => server.stop());

function plugin(name: string, parameters: string[], body: string, pluginOnly = true): Plugin {
  return {
    spec: pluginSpec.parse({
      name,
      description: `The function ${name}.`,
      parameters: parameters.map((parameter, index) => ({
        name: parameter,
        description: parameter,
        required: index === 0,
      })),
      plugin_only: pluginOnly,
    }),
    source: `from taskweaver.plugin import register_plugin\n@register_plugin\ndef ${name}(${parameters.join("=None, ")}=None):\n    ${body}\n`,
    hash: name,
    secretKeys: [],
  };
}

const plugins = [
  plugin("describe", ["value", "more"], "return f'{type(value).__name__} {value!r} {more!r}'"),
  plugin("total", ["numbers"], "return sum(numbers)"),
  plugin("free", ["x"], "return x", false),
];

/** One session of the orchestrator alone; each say is an instruction. */
function session(replies: object[]) {
  const llm = scriptedLlm(replies);
  const { url, token } = server;
  const options = {
    llm,
    plugins,
    sandbox: createSandbox({ url, token }),
    prompts: content.prompts,
    roleConfig: { code_interpreter_plugin_only: { max_retry_count: 2, timeout: 30 } },
    contextId: `plugin-only-${Date.now()}-${Math.random()}`.replace(".", "-"),
  };
  return playSession([role], options).then((played) => ({ ...played, llm }));
}
const calls = (...list: [name: string, given: unknown][]) => ({
  thought: "These.",
  function: list.map(([name, given]) => ({ name, arguments: JSON.stringify(given) })),
  message: "",
});

it("makes the calls that the model names, with arguments of any type, and reports their results", async () => {
  const given = { value: { a: [1, 2.5, null, true, 'it\'s "é"\n'] }, more: false };
  const { say, llm } = await session([calls(["describe", given], ["total", { numbers: [1, 2, 3] }])]);
  const round = await say("Describe it and add up.");
  expect(round).toMatchObject({ state: "finished" });
  const post = round.posts.find(({ sendFrom }) => sendFrom === "PluginOrchestrator")!;
  expect(JSON.parse(attachmentsOf(post, "function")[0]!)).toEqual([
    { name: "describe", arguments: given },
    { name: "total", arguments: { numbers: [1, 2, 3] } },
  ]);
  expect(attachmentsOf(post, "verification")).toEqual(["CORRECT"]);
  expect(attachmentsOf(post, "execution_status")).toEqual(["SUCCESS"]);
  expect(attachmentsOf(post, "reply_content")[0]).toMatch(
    /^r1 = describe\(\*\*\{[\s\S]*\nr2 = total\([\s\S]*\nr1, r2$/,
  );
  expect(post.message).toContain("dict");
  expect(post.message).toContain("None, True");
  expect(post.message).toMatch(/, 6\)/);
  // The model knows the plugins that are for calls, and no others.
  expect(llm.asked[0]![0]!.content).toContain("def describe(");
  expect(llm.asked[0]![0]!.content).not.toContain("def free(");
});

it("numbers results through the session, and a later call can take an earlier one", async () => {
  const { say, llm } = await session([
    calls(["total", { numbers: [1, 2] }]),
    calls(["describe", { value: "$r1", more: "$r9" }], ["total", { numbers: ["$r1", 10] }]),
  ]);
  await say("Add.");
  const round = await say("Go on.");
  const post = round.posts.at(-2)!;
  expect(attachmentsOf(post, "reply_content")[0]).toBe(
    'r2 = describe(**{"value": r1, "more": "$r9"})\nr3 = total(**{"numbers": [r1, 10]})\nr2, r3',
  );
  expect(post.message).toContain("int 3 '$r9'");
  expect(post.message).toContain(", 13)");
  expect(llm.asked[1]!.at(-1)!.content).toContain("- r1 (int): 3");
});

it("answers in words when no call is needed", async () => {
  const { say } = await session([{ thought: "A question.", function: [], message: "I can add numbers." }]);
  const round = await say("What can you do?");
  expect(round.posts.at(-1)!.message).toBe("I can add numbers.");
});

it("has the model mend calls that can't be made or that fail, and then tells whoever asked", async () => {
  const { say, llm } = await session([
    calls(["free", { x: 1 }]),
    calls(["total", { wrong: 1 }]),
    calls(["total", { numbers: "abc" }]),
  ]);
  const round = await say("Add abc.");
  expect(round.state).toBe("finished");
  const own = round.posts.filter(({ sendFrom }) => sendFrom === "PluginOrchestrator");
  expect(own.map(({ sendTo }) => sendTo)).toEqual(["PluginOrchestrator", "PluginOrchestrator", "Planner"]);
  expect(own[0]!.message).toContain('There is no function "free". There are: describe, total.');
  expect(own[1]!.message).toContain('total takes no argument "wrong". It takes: numbers.');
  expect(own[2]!.message).toContain("TypeError");
  expect(llm.asked[2]!.at(-1)!.content).toContain("The User's request: Add abc.");
});

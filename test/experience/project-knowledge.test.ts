import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createProject } from "../dev/content/project.ts";
import { launch } from "../support/launcher.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

vi.setConfig({ testTimeout: 120_000 });

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const plugin = (name: string, description: string) => ({
  [`plugins/${name}.yaml`]: `name: ${name}\nenabled: true\ndescription: ${description}\nparameters: []\nreturns: []\n`,
  [`plugins/${name}.py`]: `from taskweaver.plugin import register_plugin\n@register_plugin\ndef ${name}():\n    return 1\n`,
});

/** An example of the CodeInterpreter's, as the documents have it. */
const example = (request: string, more = "") => `enabled: True
rounds:
  - User_query: ${request}
    state: finished
    post_list:
      - message: ${request}
        send_from: Planner
        send_to: CodeInterpreter
        attachment_list: []
      - message: done
        send_from: CodeInterpreter
        send_to: Planner
        attachment_list:
        - type: thought
          content: "{ROLE_NAME} keeps {other} and {{double}} braces."
        - type: python
          content: |-
            print(f"{ROLE_NAME}")
${more}`;

const ownPlugin = `plugins:
  - name: only_in_the_example
    description: Shown here only.
    parameters: []
    returns: []
`;

/** Chooses the folder of examples, by what it is asked. */
const chooser = `import { defineRole } from "../role";

export const role = defineRole({
  name: "chooser",
  alias: "Chooser",
  intro: "Chooser chooses examples.",
  async reply(turn) {
    const [folder, ...rest] = turn.lastPost.message.split(" ");
    turn.shared.put({ type: "example_sub_path", content: folder, scope: "conversation" });
    turn.signals.set("_signal_exp_sub_path", "not_for_examples");
    const own = await turn.examples.load({ subPath: "" });
    turn.post.write("I know " + own.map(({ name }) => name).join());
  },
});
`;

const planned = (sendTo: string, message: string) => ({
  plan_reasoning: "-",
  init_plan: "1. go",
  plan: "1. go",
  current_plan_step: "1. go",
  stop: sendTo === "User" ? "Completed" : "InProcess",
  send_to: sendTo,
  message,
});
const text = (content: string) => ({ thought: "-", reply_type: "text", reply_content: content });
const python = (code: string) => ({ thought: "-", reply_type: "python", reply_content: code });

interface Round {
  id: string;
  state: string;
  post_list: {
    send_from: string;
    message: string;
    trace: {
      plugins?: string[];
      examples?: { sub_path: string; decided_by: string; names: string[]; warning?: string }[];
    };
  }[];
}

it("examples and plugins are chosen for the prompt, and each Post tells which", async () => {
  using project = createProject({
    "taskweaver_config.json": JSON.stringify({
      "code_generator.enable_auto_plugin_selection": true,
      "code_generator.auto_plugin_selection_topk": 1,
      "code_generator.role_name": "Coder",
    }),
    "roles/chooser/index.ts": chooser,
    "examples/chooser_examples/b.yaml": example("second").replaceAll("CodeInterpreter", "Chooser"),
    "examples/chooser_examples/a.yaml": example("first").replaceAll("CodeInterpreter", "Chooser"),
    "examples/code_generator_examples/2-later.yaml": example("the later one"),
    "examples/code_generator_examples/1-sooner.yaml": example("the sooner one", ownPlugin),
    "examples/code_generator_examples/3-others.yaml": example("of somebody else").replaceAll(
      "Planner",
      "Stranger",
    ),
    "examples/code_generator_examples/4-off.yaml": example("switched off").replace("True", "False"),
    "examples/code_generator_examples/charts/line.yaml": example("the one of the charts"),
    ...plugin("weather_report", "Tells the weather and the temperature of a city."),
    ...plugin("stock_price", "Looks up the price of a share at the stock exchange."),
    ...plugin("translate_text", "Translates a text into another language."),
  });
  await using server = launch("start", {
    args: ["--project", project.path],
    env: { OPENAI_BASE_URL: `${model.url}/v1` },
  });
  const url = await server.ready();
  const headers = { "content-type": "application/json" };
  const post = async (path: string, body: unknown) =>
    (await (
      await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    ).json()) as Round;
  const roles = ["planner", "chooser", "code_interpreter"];
  const { id: session } = await post("/v1/sessions", { roles });
  let scripts = 0;

  /** A round in which the model says these things; what it was asked, and what the CodeInterpreter was shown. */
  async function play(replies: object[]) {
    const script = `knowledge-${++scripts}`;
    const wire = replies.map((response) => ({ text: JSON.stringify({ response }) }));
    await fetch(`${model.url}/scripts/${script}`, { method: "PUT", body: JSON.stringify(wire) });
    const { id, state } = await post(`/v1/sessions/${session}/messages`, {
      message: `go [script ${script}]`,
    });
    expect(state).toBe("finished");
    const requests = (await (await fetch(`${model.url}/scripts/${script}/requests`)).json()) as {
      messages: { role: string; content: string }[];
    }[];
    const answer = await fetch(`${url}/v1/sessions/${session}/rounds/${id}?explain=1`);
    const { post_list: posts } = (await answer.json()) as Round;
    const coder = requests.filter(({ messages }) => messages[0]!.content.includes("Coder"));
    const shown = posts.filter(({ send_from }) => send_from === "CodeInterpreter").map(({ trace }) => trace);
    return { coder: coder.map(({ messages }) => messages), shown, posts };
  }

  // The nearest plugin is shown, and code uses it.
  const first = await play([
    planned("CodeInterpreter", "What is the temperature in Rome?"),
    python("weather_report()"),
    planned("User", "done"),
  ]);
  expect(first.shown[0]).toEqual({
    plugins: ["weather_report"],
    examples: [{ sub_path: "", decided_by: "none", names: ["1-sooner", "2-later"] }],
  });
  const conversation = first.coder[0]!;
  const prompt = conversation.map(({ content }) => content).join("\n");
  expect(prompt.indexOf("the sooner one")).toBeLessThan(prompt.indexOf("the later one"));
  expect(prompt).not.toMatch(/of somebody else|switched off|of the charts|stock_price|translate_text/);
  // An example's own plugin stands in its conversation and nowhere else.
  const withOwn = conversation.filter(({ content }) => content.includes("only_in_the_example"));
  expect(withOwn).toHaveLength(1);
  expect(withOwn[0]!.content).toContain("the sooner one");
  // The role's name is put in; code and other braces are left alone.
  expect(conversation[2]!.content).toContain("Coder keeps {other} and {{double}} braces.");
  expect(conversation[2]!.content).toContain("{ROLE_NAME}");

  // Of plugins that code has used, the model is told again; examples come from the folder that another role chose.
  const second = await play([
    planned("Chooser", "charts please"),
    planned("CodeInterpreter", "Translate the text into French."),
    text("voilà"),
    planned("User", "done"),
  ]);
  expect(second.posts[2]!.message).toBe("I know a,b");
  expect(second.shown[0]).toEqual({
    plugins: ["translate_text", "weather_report"],
    examples: [{ sub_path: "charts", decided_by: "shared_memory", names: ["line"] }],
  });
  expect(second.coder[0]!.map(({ content }) => content).join()).toContain("the one of the charts");

  // A folder that isn't there: the round goes on without, and says so.
  const third = await play([
    planned("Chooser", "nowhere please"),
    planned("CodeInterpreter", "Say something."),
    text("something"),
    planned("User", "done"),
  ]);
  expect(third.shown[0]!.examples).toEqual([
    { sub_path: "nowhere", decided_by: "shared_memory", names: [], warning: "sub_path_missing" },
  ]);
});

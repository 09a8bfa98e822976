import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EDGE_SOURCE } from "../../../dev/content/edge-plugins.ts";
import { createProject } from "./project.ts";

const example = `enabled: True
rounds:
  - User_query: count the rows of /home/data.csv
    state: created
    post_list:
      - message: count the rows of /home/data.csv
        send_from: User
        send_to: Planner
        attachment_list:
      - message: Please count the rows
        send_from: Planner
        send_to: CodeInterpreter
        attachment_list:
        - type: init_plan
          content: |-
            1. load the data file
            2. report <interactively depends on 1>
`;

const codeExample = `enabled: True
rounds:
  - user_query: read file /abc/def.txt
    state: created
    post_list:
      - message: read file /abc/def.txt
        send_from: Planner
        send_to: CodeInterpreter
        attachment_list: []
      - message: done
        send_from: CodeInterpreter
        send_to: Planner
        attachment_list:
        - type: thought
          content: "{ROLE_NAME} will read the file."
        - type: python
          content: print(1)
`;

const pluginYaml = `name: klarna_search
enabled: true
required: false
description: Searches goods.
parameters:
  - name: query
    type: str
    required: true
    description: What to look for.
  - name: size
    type: int
    required: false
    description: How many.
returns:
  - name: df
    type: pd.DataFrame
    description: The goods.
  - name: description
    type: str
    description: A text.
configurations:
  endpoint: https://example.test
  api_key: very-secret
`;

describe("the content compiler", () => {
  it("compiles a project in TaskWeaver's own formats", async () => {
    using project = createProject({
      "taskweaver_config.json": JSON.stringify({
        "llm.api_key": "sk-do-not-leak",
        "llm.model": "gpt-4.1",
        "session.max_internal_chat_round_num": 7,
        "planner.use_experience": null,
        "planner.llm_alias": "smart",
        "ext_llms.llm_configs": { smart: { "llm.model": "a-larger-one" } },
      }),
      "examples/planner_examples/count.yaml": example,
      "examples/planner_examples/off.yaml": example.replace("enabled: True", "enabled: False"),
      "examples/planner_examples/sub/more.yaml": example,
      "examples/code_generator_examples/read.yaml": codeExample,
      "experience/handcrafted_exp_my_own_id.yaml": "exp_id: my_own_id\nexperience_text: Look twice.\n",
      "experience/task_type_1/handcrafted_exp_1.yaml": "exp_id: 1\nexperience_text: First type.\n",
      "plugins/klarna_search.yaml": pluginYaml,
      "plugins/klarna_search.py": "print('the plugin')\n",
      "plugins/off.yaml": pluginYaml.replace("enabled: true", "enabled: false"),
    });
    const { content, secrets, warnings, modulePath } = await project.compile();

    expect(warnings).toEqual([]);
    expect(content.config).toEqual({
      "llm.model": "gpt-4.1",
      "session.max_internal_chat_round_num": 7,
      "planner.llm_alias": "smart",
      "ext_llms.llm_configs": { smart: { "llm.model": "a-larger-one" } },
    });
    expect(content.examples.planner!.map(({ subPath }) => subPath)).toEqual(["", "sub"]);
    expect(content.examples.planner![0]!.rounds[0]!.userQuery).toBe("count the rows of /home/data.csv");
    const [, codePost] = content.examples.code_generator![0]!.rounds[0]!.posts;
    expect(codePost!.attachments.map(({ type, content: text }) => [type, text])).toEqual([
      ["thought", "{ROLE_NAME} will read the file."],
      ["reply_type", "python"],
      ["reply_content", "print(1)"],
    ]);
    const { lessons, subPaths } = content.experiences.experience!;
    expect(JSON.parse(lessons)).toEqual([
      { id: "my_own_id", kind: "handcrafted", subPath: "", text: "Look twice." },
      { id: "1", kind: "handcrafted", subPath: "task_type_1", text: "First type." },
    ]);
    expect(subPaths).toEqual(["task_type_1"]);
    expect(content.plugins.map(({ spec, source }) => [spec.name, source])).toEqual([
      ["klarna_search", "print('the plugin')\n"],
    ]);
    expect(content.prompts.planner!.instruction_template).toContain("{WORKERS}");

    // Secrets are handed on, and nowhere in what is compiled.
    expect(secrets).toEqual({ LLM_API_KEY: "sk-do-not-leak", PLUGIN_KLARNA_SEARCH_API_KEY: "very-secret" });
    expect(readFileSync(modulePath, "utf8")).not.toMatch(/sk-do-not-leak|very-secret/);
    expect(content.plugins[0]!.spec.configurations).toEqual({ endpoint: "https://example.test" });
    expect(content.plugins[0]!.secretKeys).toEqual(["api_key"]);
  });

  it("gives the same text for the same files", async () => {
    using project = createProject({ "examples/planner_examples/count.yaml": example });
    const [first, second] = [await project.compile(), await project.compile()];
    const text = (path: string) => readFileSync(path, "utf8");
    expect(text(first.modulePath)).toBe(text(second.modulePath));
  });

  it("takes a project without any files", async () => {
    using project = createProject({});
    const { content, projectRoles } = await project.compile();
    expect([content.config, content.examples, content.plugins, projectRoles]).toEqual([{}, {}, [], []]);
  });

  it("bundles a project's edge plugins, with what they import", async () => {
    using project = createProject({
      "plugins/klarna_search.yaml": pluginYaml,
      "plugins/klarna_search.ts": [
        `import * as z from "zod";`,
        `import { defineEdgePlugin } from "./edge-plugin";`,
        `import { twice } from "./lib/twice.ts";`,
        "export const plugin = defineEdgePlugin({",
        "  argsSchema: z.object({ query: z.string() }),",
        "  call: async ({ query }) => twice(query),",
        "});",
      ].join("\n"),
      "plugins/lib/twice.ts": "export const twice = (text: string) => text + text;",
    });
    const { content, edgePlugins } = await project.compile();
    expect(content.plugins).toMatchObject([{ edge: true, source: EDGE_SOURCE }]);
    expect(await edgePlugins["klarna_search"]!.call({ query: "ab" }, {} as never)).toBe("abab");
    expect(edgePlugins["klarna_search"]!.argsSchema?.safeParse({}).success).toBe(false);
  });

  it.each([
    [
      "an example without a state",
      { "examples/planner_examples/bad.yaml": example.replace("    state: created\n", "") },
      /^examples\/planner_examples\/bad\.yaml:3: rounds\[0\]\.state: .*expected string/,
    ],
    [
      "an example with a number for a message",
      {
        "examples/planner_examples/bad.yaml": example.replace(
          "message: Please count the rows",
          "message: 12",
        ),
      },
      /bad\.yaml:10: rounds\[0\]\.post_list\[1\]\.message: .*expected string/,
    ],
    [
      "YAML that isn't",
      { "examples/planner_examples/bad.yaml": "enabled: [True\nrounds: 1\n" },
      /^examples\/planner_examples\/bad\.yaml:\d+: /,
    ],
    [
      "a plugin whose Python is missing",
      { "plugins/klarna_search.yaml": pluginYaml },
      /^plugins\/klarna_search\.yaml:1: name: .*plugins\/klarna_search\.py is not there/,
    ],
    [
      "a plugin that is implemented twice",
      {
        "plugins/klarna_search.yaml": pluginYaml,
        "plugins/klarna_search.py": "",
        "plugins/klarna_search.ts": "",
      },
      /^plugins\/klarna_search\.yaml:1: name: there are plugins\/klarna_search\.py and plugins\/klarna_search\.ts/,
    ],
    [
      "an edge plugin that exports none",
      { "plugins/klarna_search.yaml": pluginYaml, "plugins/klarna_search.ts": "export const other = 1;" },
      /^plugins\/klarna_search\.ts: it must export `plugin`, made by defineEdgePlugin/,
    ],
    [
      "an edge plugin that is no TypeScript",
      { "plugins/klarna_search.yaml": pluginYaml, "plugins/klarna_search.ts": "\nexport const = 1;" },
      /^plugins\/klarna_search\.ts:2: /,
    ],
    [
      "a plugin that can't be called by its name",
      {
        "plugins/x.yaml": pluginYaml.replace("klarna_search", "klarna search"),
        "plugins/klarna search.py": "",
      },
      /^plugins\/x\.yaml:1: name: a Python name/,
    ],
    [
      "an experience without a text",
      { "experience/handcrafted_exp_1.yaml": "exp_id: 1\n" },
      /^experience\/handcrafted_exp_1\.yaml:1: experience_text: /,
    ],
    [
      "a config value of the wrong kind",
      {
        "taskweaver_config.json":
          '{\n  "llm.model": "m",\n  "session.max_internal_chat_round_num": "many"\n}',
      },
      /^taskweaver_config\.json:3: session\.max_internal_chat_round_num: .*expected number/,
    ],
    [
      "a config that is no object",
      { "taskweaver_config.json": "[]" },
      /^taskweaver_config\.json:1: .*one JSON object of dotted keys/,
    ],
    [
      "a prompt file that isn't there",
      { "taskweaver_config.json": '{"planner.prompt_file_path": "prompts/mine.yaml"}' },
      /planner\.prompt_file_path: there is no file prompts\/mine\.yaml/,
    ],
  ])("stops at %s, and says where", async (_what, files, message) => {
    using project = createProject(files);
    await expect(project.compile()).rejects.toThrow(message);
    expect(existsSync(join(project.outFolder, "1/_content.ts"))).toBe(false);
  });

  it("warns of an example whose first message is not its request", async () => {
    const stray = example.replace("message: count the rows of /home/data.csv", "message: count the columns");
    using project = createProject({ "examples/planner_examples/stray.yaml": stray });
    const { warnings, content } = await project.compile();
    expect(warnings).toEqual([
      {
        file: "examples/planner_examples/stray.yaml",
        line: 6,
        field: "rounds[0].post_list[0].message",
        message: "the first message differs from the round's user_query",
      },
    ]);
    expect(content.examples.planner).toHaveLength(1);
  });

  it("warns of lessons that are wanted from a folder that isn't there", async () => {
    using project = createProject({
      "taskweaver_config.json": '{"planner.use_experience": true, "planner.experience_dir": "nowhere"}',
    });
    const { warnings } = await project.compile();
    expect(warnings).toMatchObject([
      { field: "planner.experience_dir", message: "there is no folder nowhere" },
    ]);
  });

  it("takes the files of one lesson together: what is written by hand counts as it stands", async () => {
    const rounds = "rounds:\n  - user_query: hi\n    post_list: []\n";
    using project = createProject({
      "experience/handcrafted_exp_1.yaml": "exp_id: 1\nexperience_text: Edited.\n",
      "experience/exp_1.yaml": "exp_id: 1\nexperience_text: As it was.\nembedding: [1]\nembedding_model: m\n",
      "experience/raw_exp_a_b.yaml": rounds,
      "experience/exp_a_b.yaml": "exp_id: a_b\nexperience_text: Drawn.\n",
      "experience/deep/er/raw_exp_c.yaml": rounds,
    });
    const { content } = await project.compile();
    const conversation = { rounds: [{ user_query: "hi", post_list: [] }] };
    expect(JSON.parse(content.experiences.experience!.lessons)).toEqual([
      { id: "c", kind: "learned", subPath: "deep/er", text: "", conversation },
      { id: "1", kind: "handcrafted", subPath: "", text: "Edited." },
      { id: "a_b", kind: "learned", subPath: "", text: "Drawn.", conversation },
    ]);
    expect(content.experiences.experience!.subPaths).toEqual(["deep/er"]);
  });

  it("takes the CodeInterpreter's keys under either of its names, not two that differ", async () => {
    const config = (entries: object) => ({ "taskweaver_config.json": JSON.stringify(entries, null, 2) });
    const lesson = { "mine/handcrafted_exp_1.yaml": "exp_id: 1\nexperience_text: Mine.\n" };
    const keys = { "code_interpreter.use_experience": true, "code_interpreter.experience_dir": "mine" };
    using project = createProject({ ...config(keys), ...lesson });
    const { content, warnings } = await project.compile();
    expect(warnings).toEqual([]);
    expect(content.config).toEqual({
      "code_generator.use_experience": true,
      "code_generator.experience_dir": "mine",
    });
    expect(Object.keys(content.experiences)).toEqual(["mine"]);

    using same = createProject(config({ ...keys, "code_generator.use_experience": true }));
    expect((await same.compile()).content.config).toMatchObject({ "code_generator.use_experience": true });
    using other = createProject(config({ ...keys, "code_generator.use_experience": false }));
    await expect(other.compile()).rejects.toThrow(
      /^taskweaver_config\.json:2: code_interpreter\.use_experience: it means code_generator\.use_experience/,
    );
  });

  it("warns of a key that nobody knows and names the nearest", async () => {
    using project = createProject({
      "taskweaver_config.json": '{\n  "sesion.roles": ["planner"],\n  "colour.of.everything": 1\n}',
    });
    const { warnings, content } = await project.compile();
    expect(warnings).toEqual([
      {
        file: "taskweaver_config.json",
        line: 2,
        field: "sesion.roles",
        message: "unknown key; did you mean session.roles?",
      },
      {
        file: "taskweaver_config.json",
        line: 3,
        field: "colour.of.everything",
        message: "unknown key; it has no effect",
      },
    ]);
    expect(content.config).toEqual({});
  });

  it("lets a project's prompt file replace the role's, key by key", async () => {
    using project = createProject({
      "taskweaver_config.json": '{"planner.prompt_file_path": "prompts/mine.yaml"}',
      "prompts/mine.yaml": "version: 2\ninstruction_template: You plan for {ROLE_NAME}.\nsafety_rules:\n",
    });
    const { content } = await project.compile();
    expect(content.prompts.planner!.instruction_template).toBe("You plan for {ROLE_NAME}.");
    expect(content.prompts.planner!.response_json_schema).toContain("send_to");
    // Empty leaves them out.
    expect(content.prompts.planner!.safety_rules).toBe("");
  });
});

describe("a project's roles", () => {
  const weather = `import * as z from "zod";
import { defineRole } from "../role";
import { forecast } from "../../forecasts";

export const role = defineRole({
  name: "weather",
  alias: "Weather",
  intro: "Weather tells the weather.",
  configSchema: z.object({ unit: z.enum(["celsius", "kelvin"]).default("celsius") }),
  async reply(turn) {
    turn.post.write(forecast(turn.config.unit));
  },
});
`;
  const forecasts = "export const forecast = (unit: string): string => `20 degrees ${unit}`;\n";

  it("are compiled with what they import, and bring their config keys", async () => {
    using project = createProject({
      "roles/weather/index.ts": weather,
      "forecasts.ts": forecasts,
      "taskweaver_config.json": '{"weather.unit": "kelvin", "weather.colour": "blue"}',
      "examples/weather_examples/one.yaml": example,
    });
    const { projectRoles, content, warnings } = await project.compile();
    expect(projectRoles.map(({ name, alias }) => [name, alias])).toEqual([["weather", "Weather"]]);
    expect(content.config).toEqual({ "weather.unit": "kelvin" });
    expect(warnings).toMatchObject([{ field: "weather.colour" }]);
    expect(content.examples.weather).toHaveLength(1);
  });

  it.each([
    [
      "a name that isn't its folder's",
      weather.replace('"weather"', '"wether"'),
      /it is "wether", but must be "weather"/,
    ],
    [
      "an alias that is taken",
      weather.replace('"Weather"', '"Echo"'),
      /"Echo" is taken by src\/roles\/echo\/index\.ts/,
    ],
    ["no role", "export const roll = 1;", /roles\/weather\/index\.ts: it must export `role`/],
    ["an error in its code", "export const role = (;", /roles\/weather\/index\.ts:1: /],
    [
      "an import that isn't there",
      'import "./nowhere";\nexport const role = {};',
      /roles\/weather\/index\.ts:1: .*nowhere/,
    ],
  ])("are refused with %s", async (_what, text, message) => {
    using project = createProject({ "roles/weather/index.ts": text, "forecasts.ts": forecasts });
    await expect(project.compile()).rejects.toThrow(message);
  });
});

import { describe, expect, it } from "vitest";
import { loadConfig } from "../src/config.ts";
import { whyWithoutEffect } from "../src/config/keys-without-effect.ts";
import { environmentName, isSecretKey } from "../src/config/secrets.ts";
import type { Content } from "../src/content/content.ts";
import { roles } from "../src/roles/_registry.ts";

const content = (config: Record<string, unknown> = {}, more: Partial<Content> = {}): Content => ({
  config,
  prompts: {},
  examples: {},
  experiences: {},
  plugins: [],
  ...more,
});
const role = (name: string) => roles.find((candidate) => candidate.name === name)!;

describe("the configuration", () => {
  it("has TaskWeaver's defaults, and no model, sandbox or keys of its own", () => {
    const config = loadConfig({}, content(), roles);
    expect(config.defaultRoles).toEqual(["planner", "code_interpreter"]);
    expect(config.limits.maxReplies).toBe(10);
    expect(config).toMatchObject({ apiKeys: [], open: false });
    expect(config.model()).toBeUndefined();
    expect(config.sandbox).toBeUndefined();
    expect(config.roleConfig(role("code_interpreter"))).toMatchObject({
      max_retry_count: 3,
      role_name: "ProgramApe",
    });
  });

  it.each<[what: string, settings: Record<string, string>, kind: string, model: string | undefined]>([
    ["no service", {}, "lexical", undefined],
    ["a service alone", { OPENAI_API_KEY: "k" }, "lexical", undefined],
    ["a service and a model", { OPENAI_API_KEY: "k", OPENAI_EMBEDDING_MODEL: "e" }, "openai", "e"],
    ["a model without a service", { OPENAI_EMBEDDING_MODEL: "e" }, "lexical", undefined],
    [
      "TaskWeaver's default",
      { OPENAI_API_KEY: "k", LLM_EMBEDDING_API_TYPE: "sentence_transformers" },
      "lexical",
      undefined,
    ],
    [
      "a kind of service",
      { OPENAI_BASE_URL: "http://x/v1", LLM_EMBEDDING_API_TYPE: "ollama" },
      "openai",
      "text-embedding-3-small",
    ],
    ["Workers AI", { LLM_EMBEDDING_API_TYPE: "workers-ai" }, "workers-ai", "@cf/baai/bge-m3"],
  ])("embeds, with %s, by what that gives", (_what, settings, kind, model) => {
    const { embedding } = loadConfig(settings, content(), roles);
    expect([embedding.kind, embedding.model]).toEqual([kind, model]);
  });

  it("takes what a role knows under either of its names", () => {
    const settings = {
      CODE_INTERPRETER_USE_EXPERIENCE: "true",
      CODE_GENERATOR_DYNAMIC_EXPERIENCE_SUB_PATH: "false",
    };
    const config = loadConfig(settings, content({ "planner.use_experience": true }), roles);
    expect(config.knowledge(role("code_interpreter"))).toMatchObject({
      name: "code_generator",
      useExperience: true,
      dynamicExperience: false,
      dynamicExamples: true,
    });
    expect(config.knowledge(role("planner"))).toMatchObject({ useExperience: true, dynamicExperience: true });
  });

  it("goes by the environment before the project's file", () => {
    const file = {
      "llm.model": "of-the-file",
      "session.max_internal_chat_round_num": 5,
      "session.roles": ["planner"],
    };
    const config = loadConfig(
      {
        LLM_API_KEY: "k",
        LLM_MODEL: "of-the-environment",
        SESSION_MAX_INTERNAL_CHAT_ROUND_NUM: "7",
        SESSION_ROLES: "planner, echo",
        ECHO_DECORATOR: "*",
        PLANNER_USE_EXAMPLE: "false",
      },
      content(file),
      roles,
    );
    expect(config.model()).toMatchObject({
      apiKey: "k",
      model: "of-the-environment",
      baseUrl: "https://api.openai.com/v1",
    });
    expect(config.limits.maxReplies).toBe(7);
    expect(config.defaultRoles).toEqual(["planner", "echo"]);
    expect(config.roleConfig(role("echo"))).toEqual({ decorator: "*" });
    expect(config.usesExamples(role("planner"))).toBe(false);
  });

  it("takes OPENAI_* for the same thing, first", () => {
    const env = {
      OPENAI_API_KEY: "a",
      LLM_API_KEY: "b",
      OPENAI_BASE_URL: "http://one.test",
      LLM_API_BASE: "http://two.test",
    };
    expect(loadConfig(env, content(), roles).model()).toMatchObject({
      apiKey: "a",
      baseUrl: "http://one.test",
    });
  });

  it("sends no sampling that nobody asked for", () => {
    const env = { OPENAI_API_KEY: "k" };
    expect(loadConfig(env, content(), roles).model()!.sampling).toEqual({});
    const asked = content({ "llm.openai.temperature": 0, "llm.openai.seed": 7 });
    expect(loadConfig(env, asked, roles).model()!.sampling).toEqual({ temperature: 0, seed: 7 });
  });

  it("knows the services by TaskWeaver's names, and their own keys", () => {
    const settings = (config: Record<string, unknown>) =>
      loadConfig({ LLM_API_KEY: "k" }, content(config), roles).model();
    expect(
      settings({ "llm.api_type": "groq", "llm.groq.model": "fast", "llm.groq.temperature": 0.5 }),
    ).toMatchObject({
      baseUrl: "https://api.groq.com/openai/v1",
      model: "fast",
      sampling: { temperature: 0.5 },
    });
    expect(
      settings({ "llm.openai.stop_token": ["<EOS>"], "llm.extra_body": { top_k: 3 } })!.sampling,
    ).toEqual({
      stop: ["<EOS>"],
      top_k: 3,
    });
    const azure = { "llm.api_type": "azure", "llm.api_base": "https://mine.openai.azure.com" };
    expect(settings(azure)).toMatchObject({ azureApiVersion: "2024-10-21" });
    expect(loadConfig({}, content({ "llm.api_type": "ollama" }), roles).model()).toMatchObject({
      baseUrl: "http://localhost:11434/v1",
    });
  });

  it("gives each alias its own model, two of one service too, and none the key of another service", () => {
    const aliases = {
      small: { "llm.model": "small-one" },
      large: { "llm.model": "large-one", "llm.openai.temperature": 1 },
      elsewhere: { "llm.api_base": "https://other.test/v1" },
      own: { "llm.api_type": "groq" },
    };
    const config = loadConfig(
      { OPENAI_API_KEY: "main-key", OPENAI_MODEL: "main-one", EXT_LLMS_OWN_API_KEY: "own-key" },
      content({ "ext_llms.llm_configs": aliases, "planner.llm_alias": "small", "llm.openai.temperature": 0 }),
      roles,
    );
    expect(config.llmAlias(role("planner"))).toBe("small");
    expect(config.llmAlias(role("code_interpreter"))).toBeUndefined();
    expect(config.model("small")).toMatchObject({
      apiKey: "main-key",
      model: "small-one",
      sampling: { temperature: 0 },
    });
    expect(config.model("large")).toMatchObject({
      apiKey: "main-key",
      model: "large-one",
      sampling: { temperature: 1 },
    });
    expect(config.model("elsewhere")).toMatchObject({ apiKey: "none", baseUrl: "https://other.test/v1" });
    expect(config.model("own")).toMatchObject({
      apiKey: "own-key",
      baseUrl: "https://api.groq.com/openai/v1",
    });
    expect(() => config.model("nobody")).toThrow(/small, large, elsewhere, own/);
  });

  it("reads keys with and without a tenant", () => {
    expect(loadConfig({ API_KEYS: " alice:k1, k2 ,,bob:k:3" }, content(), roles).apiKeys).toEqual([
      { tenant: "alice", key: "k1" },
      { key: "k2" },
      { tenant: "bob", key: "k:3" },
    ]);
  });

  it("names a variable that doesn't fit", () => {
    const load = () => loadConfig({ SESSION_MAX_INTERNAL_CHAT_ROUND_NUM: "many" }, content(), roles);
    expect(load).toThrow(/SESSION_MAX_INTERNAL_CHAT_ROUND_NUM .*"many"/);
  });

  it("gives a plugin its secrets from the environment", () => {
    const plugin = {
      spec: {
        name: "shop",
        configurations: { url: "u" },
        environment: ["token", "region"],
      } as unknown as Content["plugins"][number]["spec"],
      source: "",
      hash: "",
      secretKeys: ["api_key"],
    };
    const { plugins } = loadConfig({ PLUGIN_SHOP_API_KEY: "s" }, content({}, { plugins: [plugin] }), roles);
    expect(plugins[0]!.spec.configurations).toEqual({ url: "u", api_key: "s" });
    expect(plugins[0]!.environment).toBeUndefined();
    // TaskWeaver's spelling, and the environment's usual one. What the plugin doesn't name is not for it.
    const set = { PLUGIN_shop_token: "t", PLUGIN_SHOP_REGION: "r", PLUGIN_SHOP_OTHER: "o", TOKEN: "x" };
    const [given] = loadConfig(set, content({}, { plugins: [plugin] }), roles).plugins;
    expect(given!.environment).toEqual({ token: "t", region: "r" });
    const [changed] = loadConfig(
      { ...set, PLUGIN_shop_token: "u" },
      content({}, { plugins: [plugin] }),
      roles,
    ).plugins;
    expect(changed!.hash).not.toBe(given!.hash);
  });
});

describe("keys of the config file", () => {
  it.each([
    "llm.api_key",
    "web_search.bing_api_key",
    "web_explorer.gpt4v_key",
    "slack.bot_token",
    "db.password",
  ])("%s is a secret", (key) => expect(isSecretKey(key)).toBe(true));
  it.each([
    "llm.model",
    "llm.openai.stop_token",
    "llm.openai.max_tokens",
    "webhooks.github.secret",
    "planner.monkey",
  ])("%s is none", (key) => expect(isSecretKey(key)).toBe(false));
  it("are known in the environment by TaskWeaver's names", () => {
    expect(environmentName("llm.api_key")).toBe("LLM_API_KEY");
  });
  it("that have no effect here say why", () => {
    expect(whyWithoutEffect("execution_service.kernel_mode")).toMatch(/sandbox/);
    expect(whyWithoutEffect("weather.llm_alias")).toBeTruthy();
    expect(whyWithoutEffect("weather.colour")).toBeUndefined();
  });
});

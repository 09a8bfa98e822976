import { expect, it } from "vitest";
import { configKeys } from "../../../src/config/keys.ts";
import { isSecretKey } from "../../../src/config/secrets.ts";
import { keysWithoutEffect } from "../../../src/config/keys-without-effect.ts";
import { roles } from "../../../src/roles/_registry.ts";
import { readFileSync } from "node:fs";
import { createProject } from "./project.ts";

/** TaskWeaver's whole list of keys, with values that it would take. */
const taskWeaverKeys: Record<string, unknown> = {
  use_local_uri: true,
  "session.roles": ["planner", "code_interpreter"],
  "session.max_internal_chat_round_num": 10,
  "session.experience_dir": "experience",
  "session_manager.store_type": "in_memory",
  "workspace.mode": "local",
  "workspace.workspace_path": "workspace",
  "planner.use_experience": false,
  "planner.experience_dir": "experience",
  "planner.dynamic_experience_sub_path": false,
  "planner.use_example": true,
  "planner.example_base_path": "examples/planner_examples",
  "planner.dynamic_example_sub_path": false,
  "planner.prompt_compression": false,
  "planner.compression_prompt_path": "compression.yaml",
  "planner.llm_alias": "",
  "code_generator.use_experience": false,
  "code_generator.use_example": true,
  "code_generator.role_name": "ProgramApe",
  "code_generator.load_plugin": true,
  "code_generator.prompt_compression": false,
  "code_generator.compression_prompt_path": "compression.yaml",
  "code_generator.enable_auto_plugin_selection": false,
  "code_generator.auto_plugin_selection_topk": 3,
  "code_generator.llm_alias": "",
  "code_interpreter.use_local_uri": true,
  "code_interpreter.max_retry_count": 3,
  "code_interpreter.code_verification_on": false,
  "code_interpreter.allowed_modules": ["pandas"],
  "code_interpreter.blocked_functions": ["eval"],
  "code_interpreter.code_prefix": "",
  "code_interpreter_plugin_only.use_local_uri": true,
  "code_interpreter_plugin_only.max_retry_count": 3,
  "code_interpreter_cli_only.use_local_uri": false,
  "code_interpreter_cli_only.max_retry_count": 3,
  "round_compressor.rounds_to_compress": 2,
  "round_compressor.rounds_to_retain": 3,
  "round_compressor.llm_alias": "",
  "experience.default_exp_prompt_path": "prompt.yaml",
  "experience.retrieve_threshold": 0.2,
  "experience.llm_alias": "",
  "plugin.base_path": "plugins",
  "role.base_path": "ext_role",
  "role.code_interpreter_base_path": "code_interpreter",
  "execution_service.kernel_mode": "container",
  "execution_service.env_dir": "env",
  "execution_service.custom_image": null,
  "llm.api_type": "openai",
  "llm.api_base": "https://llm.test/v1",
  "llm.api_key": "k",
  "llm.model": "m",
  "llm.embedding_api_type": "sentence_transformers",
  "llm.embedding_model": "e",
  "llm.response_format": "json_object",
  "llm.use_mock": false,
  "llm.api_version": "2024-06-01",
  "llm.openai.model": "m",
  "llm.openai.temperature": 0,
  "llm.openai.max_tokens": 1024,
  "llm.openai.stop_token": ["<EOS>"],
  "llm.azure.api_version": "2024-06-01",
  "llm.azure_ad.aad_tenant_id": "common",
  "llm.azure_ml.chat_mode": true,
  "llm.ollama.model": "llama2",
  "llm.google_genai.temperature": 0.9,
  "llm.zhipuai.model": "glm-4",
  "llm.qwen.model": "qwen-max-1201",
  "llm.groq.model": "groq",
  "llm.mock.mode": "playback_or_record",
  "ext_llms.llm_configs": { smart: { "llm.api_key": "nested-secret", "llm.model": "m" } },
  "logging.remote": false,
  "logging.appinsights_connection_string": "",
  "logging.log_folder": "logs",
  "tracing.enabled": false,
  "echo.decorator": "",
  "recepta.decorator": "",
  "document_retriever.index_folder": "knowledge_base",
  "document_retriever.size": 5,
  "document_retriever.target_length": 256,
  "web_search.api_provider": "duckduckgo",
  "web_search.google_api_key": "",
  "web_explorer.gpt4v_endpoint": "",
};

it("every key of TaskWeaver's is taken without a warning", async () => {
  using project = createProject({
    "taskweaver_config.json": JSON.stringify(taskWeaverKeys),
    "prompt.yaml": "version: 1\ncontent: Summarise.\n",
    "compression.yaml": "version: 1\ncontent: Summarise, after {PREVIOUS_SUMMARY}.\n",
  });
  const { warnings, modulePath } = await project.compile();
  expect(warnings).toEqual([]);
  expect(readFileSync(modulePath, "utf8")).not.toContain("nested-secret");
});

it("docs/config.md names every key, with or without effect, docs/roles.md the workers' own", () => {
  const page = readFileSync("docs/config.md", "utf8");
  const pages = page + readFileSync("docs/roles.md", "utf8");
  const wanted = Object.keys(configKeys(roles)).filter(
    (key) =>
      // The secrets of services are told by their environment names.
      !isSecretKey(key) &&
      // The page has some once for all roles, some once for all services.
      !page.includes(`\`<role>.${key.slice(key.indexOf(".") + 1)}\``) &&
      !/^llm\.(azure|ollama|groq|qwen|zhipuai|google_genai|anthropic)\./.test(key),
  );
  for (const key of wanted) expect(pages).toContain(`\`${key}\``);
  for (const key of Object.keys(keysWithoutEffect)) expect(page).toContain(`\`${key}\``);
});

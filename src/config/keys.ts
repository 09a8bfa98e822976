import * as z from "zod";
import { httpKeys } from "./http-keys.ts";
import { modelAliases, modelKeys } from "./model-keys.ts";
import { tapeKeys } from "./tape-keys.ts";
import { knowledgeName, type Role } from "../roles/role.ts";

const optionalText = z.string().optional();

const embeddingKinds = [
  "lexical",
  "openai",
  "workers-ai",
  "sentence_transformers",
  "azure",
  "ollama",
  "qwen",
  "zhipuai",
] as const;
export type EmbeddingKind = (typeof embeddingKinds)[number];

/** The keys of taskweaver_config.json that belong to no role. */
const generalKeys = {
  "openai_api.models": z.record(z.string().min(1), z.array(z.string()).min(1)).optional(),
  ...modelKeys,
  "ext_llms.llm_configs": modelAliases,
  "experience.llm_alias": optionalText,
  "round_compressor.max_tokens": z.int().min(100).default(3000),
  "round_compressor.rounds_to_compress": z.int().min(1).default(2),
  "round_compressor.rounds_to_retain": z.int().min(1).default(3),
  "round_compressor.llm_alias": optionalText,
  "session.roles": z.array(z.string()).min(1).default(["planner", "code_interpreter"]),
  "session.max_internal_chat_round_num": z.int().min(1).max(100).default(10),
  "session.max_round_seconds": z.number().positive().max(3600).default(600),
  "session.max_round_tokens": z.int().positive().optional(),
  "session.max_session_tokens": z.int().positive().optional(),
  "session.retention_days": z.number().positive().optional(),
  "session.lease_seconds": z.number().min(1).max(300).default(30),
  "plugin.base_path": z.string().default("plugins"),
  "llm.embedding_api_type": z.enum(embeddingKinds).optional(),
  "llm.embedding_model": optionalText,
  "experience.retrieve_threshold": z.number().min(-1).max(1).optional(),
  "experience.default_exp_prompt_path": optionalText,
  "experience.learn_from_score": z.number().optional(),
  "experience.top_k": z.int().min(1).max(50).default(5),
  "experience.max_tokens": z.int().positive().default(2000),
  "example.max_tokens": z.int().positive().default(8000),
  "prompts.safety_rules": z.boolean().default(true),
  // All of a document is written in one go.
  "documents.max_bytes": z.int().positive().max(2_000_000).default(1_000_000),
  "documents.passage_tokens": z.int().min(20).max(2000).default(200),
  "documents.overlap_tokens": z.int().min(0).max(200).default(20),
  ...tapeKeys,
  ...httpKeys,
};

/** What every role can have configured, under the name of its knowledge. */
const knowledgeKeys = (name: string) => ({
  [`${name}.use_example`]: z.boolean().default(true),
  [`${name}.example_base_path`]: z.string().default(`examples/${name}_examples`),
  [`${name}.use_experience`]: z.boolean().default(false),
  [`${name}.experience_dir`]: z.string().default("experience"),
  // Unset counts as true: a signal or an entry in shared memory says enough.
  [`${name}.dynamic_experience_sub_path`]: z.boolean().optional(),
  [`${name}.dynamic_example_sub_path`]: z.boolean().optional(),
  [`${name}.prompt_file_path`]: optionalText,
  [`${name}.llm_alias`]: optionalText,
  // Unset: by tokens. `true`: by rounds too, as TaskWeaver has it.
  [`${name}.prompt_compression`]: z.boolean().optional(),
  [`${name}.compression_prompt_path`]: optionalText,
});

/** Other names of keys: what a role knows may be configured under the role's own name as well. */
export function keyAliases(roles: Role[]): Record<string, string> {
  const ofRole = ({ name, knowledge }: Role) =>
    knowledge
      ? Object.keys(knowledgeKeys(knowledge.name)).map((key) => [
          name + key.slice(knowledge.name.length),
          key,
        ])
      : [];
  return Object.fromEntries(roles.flatMap(ofRole)) as Record<string, string>;
}

/** Every key that has an effect, with what its value may be. */
export function configKeys(roles: Role[]): Record<string, z.ZodType> {
  const keys: Record<string, z.ZodType> = { ...generalKeys };
  for (const role of roles) {
    Object.assign(keys, knowledgeKeys(knowledgeName(role)));
    for (const [key, schema] of Object.entries(role.configSchema?.shape ?? {})) {
      keys[`${role.name}.${key}`] = schema as z.ZodType;
    }
    for (const [key, schema] of Object.entries(role.knowledge?.configSchema?.shape ?? {})) {
      keys[`${knowledgeName(role)}.${key}`] = schema as z.ZodType;
    }
  }
  return keys;
}

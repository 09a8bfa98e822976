import * as z from "zod";
import { httpSettings, type HttpSettings } from "./config/http-keys.ts";
import { aliasKeyName } from "./config/model-keys.ts";
import { aliasSettings, modelSettings, type ModelSettings } from "./config/model-settings.ts";
import { ConfigError, fromText, textOf } from "./config/environment.ts";
import { hasItsBinding, withSecrets } from "./config/plugin-secrets.ts";
import { sandboxSettings, type SandboxSettings } from "./config/sandbox-settings.ts";
import { environmentName, isSecretKey } from "./config/secrets.ts";
import { configKeys, keyAliases, type EmbeddingKind } from "./config/keys.ts";
import type { Content } from "./content/content.ts";
import type { Cutting } from "./documents/passages.ts";
import type { Plugin } from "./plugins/plugin.ts";
import type { RoundLimits } from "./loop/run-round.ts";
import type { KnowledgeSettings } from "./loop/turn-knowledge.ts";
import { knowledgeName, type Role } from "./roles/role.ts";

interface CompressionConfig {
  maxTokens: number;
  byRounds?: { compress: number; retain: number };
  llmAlias: string | undefined;
}

export interface ApiKey {
  key: string;
  /** Absent for a bare key, which is a tenant of its own. */
  tenant?: string;
}

/** By what texts are embedded. */
export interface EmbeddingSettings {
  kind: "lexical" | "openai" | "workers-ai";
  /** Absent for the lexical embedder. */
  model?: string;
  /** Undefined when no service is set up. */
  service?: { apiKey: string; baseUrl: string };
}

/** What this deployment is set to. Made once an isolate, from the environment and the compiled project. */
export interface Config {
  /** The main model, or that of an alias; undefined when neither key nor address of one is set. */
  model(alias?: string): ModelSettings | undefined;
  modelAliases: string[];
  /** The alias of the model that a role asks. */
  llmAlias(role: Role): string | undefined;
  experienceLlmAlias: string | undefined;
  /** Undefined for a role whose memory is not compressed. */
  compression(role: Role): CompressionConfig | undefined;
  sandbox?: SandboxSettings;
  apiKeys: ApiKey[];
  /** Everybody may call, as the tenant `local`. Only `npm start` sets it. */
  open: boolean;
  defaultRoles: string[];
  /** What clients of OpenAI's API choose from: a name, and the roles that answer by it. */
  agentModels: Record<string, string[]>;
  limits: RoundLimits;
  /** How long a session is kept after its last change; undefined is for ever. */
  retentionMs?: number;
  /** A role's own keys and those of its knowledge, without prefixes. */
  roleConfig(role: Role): Record<string, unknown>;
  usesExamples(role: Role): boolean;
  /** The folder of the role's lessons, as it is configured. */
  experienceDir(role: Role): string;
  knowledge(role: Role): KnowledgeSettings;
  embedding: EmbeddingSettings;
  /** Rounds with feedback from this score on are learned from by themselves; undefined is none. */
  learnFromScore?: number;
  plugins: Plugin[];
  /** Whether prompts hold their safety rules. */
  safetyRules: boolean;
  documents: { maxBytes: number; cutting: Cutting };
  http: HttpSettings;
  /** Every setting as it is in force, without secrets. */
  shown: Record<string, unknown>;
}

const environment = z.object({
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.string().optional(),
  OPENAI_MODEL: z.string().optional(),
  OPENAI_EMBEDDING_MODEL: z.string().optional(),
  MODEL_TAPE_URL: z.string().optional(),
  SANDBOX_URL: z.string().optional(),
  SANDBOX_TOKEN: z.string().optional(),
  SANDBOX_DRIVER: z.string().optional(),
  SANDBOX_CONTAINERS: z.string().optional(),
  API_KEYS: z.string().optional(),
  OPEN_MODE: z.string().optional(),
  LINK_SECRET: z.string().optional(),
  ACCESS_TEAM_DOMAIN: z.string().optional(),
  ACCESS_AUD: z.string().optional(),
});

const DEFAULT_EMBEDDING = "text-embedding-3-small";
const DEFAULT_WORKERS_AI_EMBEDDING = "@cf/baai/bge-m3";

/** Reads the settings; the only place that does. The environment goes before the project's config file. */
export function loadConfig(env: object, content: Content, roles: Role[]): Config {
  const variables = environment.parse(
    Object.fromEntries(Object.keys(environment.shape).map((name) => [name, textOf(env, name)])),
  );
  const keys = configKeys(roles);
  const otherNames = Map.groupBy(Object.entries(keyAliases(roles)), ([, key]) => key);
  const value = <Value>(key: string): Value => {
    const schema = keys[key];
    // The relay stands in for the Planner and has no settings.
    if (!schema) return undefined as Value;
    for (const name of [key, ...(otherNames.get(key) ?? []).map(([alias]) => alias)]) {
      const fromEnvironment = textOf(env, environmentName(name));
      if (fromEnvironment !== undefined) return fromText(schema, fromEnvironment, name) as Value;
    }
    return schema.parse(content.config[key]) as Value;
  };
  const namespace = (prefix: string, shape: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.keys(shape).map((key) => [key, value(`${prefix}.${key}`)]));

  const tape = variables.MODEL_TAPE_URL;
  const mainModel = modelSettings({
    value,
    environment: {
      apiKey: variables.OPENAI_API_KEY,
      baseUrl: variables.OPENAI_BASE_URL,
      model: variables.OPENAI_MODEL,
    },
  });
  const model = throughTape(mainModel, tape);
  const aliases = value<Record<string, Record<string, unknown>>>("ext_llms.llm_configs");

  const sandbox = sandboxSettings(variables, (env as { SANDBOX?: unknown }).SANDBOX);
  const learnFromScore = value<number | undefined>("experience.learn_from_score");
  const retentionDays = value<number | undefined>("session.retention_days");
  return {
    model(alias) {
      if (!alias) return model;
      const own = aliases[alias];
      if (!own) {
        const known = Object.keys(aliases).join(", ") || "none";
        throw new ConfigError(`llm_alias is "${alias}", but ext_llms.llm_configs has: ${known}.`);
      }
      const settings = aliasSettings({
        main: mainModel,
        own,
        apiKey: textOf(env, environmentName(aliasKeyName(alias))),
        value,
      });
      return throughTape(settings, tape);
    },
    modelAliases: Object.keys(aliases),
    llmAlias: (role) => value(`${knowledgeName(role)}.llm_alias`),
    compression(role) {
      const name = knowledgeName(role);
      const wanted = value<boolean | undefined>(`${name}.prompt_compression`);
      if (role.memory !== "compressed" || wanted === false) return undefined;
      const byRounds = {
        compress: value<number>("round_compressor.rounds_to_compress"),
        retain: value<number>("round_compressor.rounds_to_retain"),
      };
      return {
        maxTokens: value("round_compressor.max_tokens"),
        llmAlias: value("round_compressor.llm_alias"),
        ...(wanted ? { byRounds } : {}),
      };
    },
    experienceLlmAlias: value("experience.llm_alias"),
    ...(sandbox ? { sandbox } : {}),
    apiKeys: parseApiKeys(variables.API_KEYS ?? ""),
    open: variables.OPEN_MODE === "1",
    defaultRoles: value("session.roles"),
    agentModels: value("openai_api.models") ?? { taskweaver: value("session.roles") },
    limits: {
      maxReplies: value("session.max_internal_chat_round_num"),
      timeMs: value<number>("session.max_round_seconds") * 1000,
      roundTokens: value<number | undefined>("session.max_round_tokens"),
      sessionTokens: value<number | undefined>("session.max_session_tokens"),
      leaseMs: value<number>("session.lease_seconds") * 1000,
    },
    ...(learnFromScore === undefined ? {} : { learnFromScore }),
    ...(retentionDays === undefined ? {} : { retentionMs: retentionDays * 24 * 3600_000 }),
    roleConfig: (role) => ({
      ...namespace(role.name, role.configSchema?.shape),
      ...namespace(knowledgeName(role), role.knowledge?.configSchema?.shape),
    }),
    experienceDir: (role) => value(`${knowledgeName(role)}.experience_dir`),
    knowledge(role) {
      const name = knowledgeName(role);
      return {
        name,
        useExperience: value(`${name}.use_experience`),
        dynamicExperience: value(`${name}.dynamic_experience_sub_path`) !== false,
        dynamicExamples: value(`${name}.dynamic_example_sub_path`) !== false,
        lessons: {
          threshold: value("experience.retrieve_threshold"),
          topK: value("experience.top_k"),
          maxTokens: value("experience.max_tokens"),
        },
        exampleTokens: value("example.max_tokens"),
      };
    },
    embedding: embeddingSettings({
      kind: value("llm.embedding_api_type"),
      model: variables.OPENAI_EMBEDDING_MODEL ?? value<string | undefined>("llm.embedding_model"),
      service: model && { apiKey: model.apiKey, baseUrl: model.baseUrl },
    }),
    usesExamples: (role) => value(`${knowledgeName(role)}.use_example`),
    plugins: content.plugins
      .filter((plugin) => hasItsBinding(plugin, env))
      .map((plugin) => withSecrets(plugin, env)),
    safetyRules: value("prompts.safety_rules"),
    documents: {
      maxBytes: value("documents.max_bytes"),
      cutting: { size: value("documents.passage_tokens"), overlap: value("documents.overlap_tokens") },
    },
    http: httpSettings(value, variables),
    shown: {
      ...Object.fromEntries(
        Object.keys(keys)
          .filter((key) => !isSecretKey(key))
          .map((key) => [key, showable(value(key))]),
      ),
      ...(mainModel ? { "llm.api_base": showable(mainModel.baseUrl), "llm.model": mainModel.model } : {}),
      "sandbox.driver": sandbox?.driver ?? null,
    },
  };
}

/**
 * A model's name is enough where a service is set up. TaskWeaver's own default, a model on the machine's disk, can't run
 * here: the lexical embedder stands in for it. Its other kinds are services that speak OpenAI's embeddings.
 */
function embeddingSettings(given: {
  kind: EmbeddingKind | undefined;
  model: string | undefined;
  service: { apiKey: string; baseUrl: string } | undefined;
}): EmbeddingSettings {
  const { model, service } = given;
  const kind = given.kind ?? (service && model !== undefined ? "openai" : "lexical");
  const more = service ? { service } : {};
  switch (kind) {
    case "lexical":
    case "sentence_transformers":
      return { kind: "lexical", ...more };
    case "workers-ai":
      return { kind, model: model ?? DEFAULT_WORKERS_AI_EMBEDDING, ...more };
    default:
      return { kind: "openai", model: model ?? DEFAULT_EMBEDDING, ...more };
  }
}

/** A local start may have the models' traffic go through a tape, which is told where it was to go. */
function throughTape(model: ModelSettings | undefined, tape: string | undefined): ModelSettings | undefined {
  if (!model || tape === undefined) return model;
  return { ...model, baseUrl: `${tape}/${encodeURIComponent(model.baseUrl.replace(/\/$/, ""))}` };
}

/** What may be shown of a setting: addresses may carry a password, or a key as a parameter. */
function showable(value: unknown): unknown {
  if (typeof value !== "string" || !URL.canParse(value)) return value ?? null;
  const url = new URL(value);
  url.username = url.password = url.search = "";
  return url.protocol.startsWith("http") ? url.href.replace(/\/$/, "") : value;
}

/** `key` or `tenant:key`, comma separated. */
function parseApiKeys(text: string): ApiKey[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const colon = entry.indexOf(":");
      return colon < 0 ? { key: entry } : { tenant: entry.slice(0, colon), key: entry.slice(colon + 1) };
    });
}

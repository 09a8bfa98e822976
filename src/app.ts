import { content, edgePlugins, projectRoles } from "#content";
import { waitUntil } from "cloudflare:workers";
import type { Deployment, Spent } from "./channels/channel.ts";
import { compressionPrompt } from "./content/content.ts";
import { errorBody, openAiDocs, openAiRoutes, ownsPath } from "./channels/openai/index.ts";
import { createChatThreads } from "./channels/openai/threads.ts";
import { createHttp } from "./channels/http/http.ts";
import { loadConfig, type Config } from "./config.ts";
import { ConfigError } from "./config/environment.ts";
import { createDocumentLibrary } from "./documents/library.ts";
import { createEmbedders } from "./embedders.ts";
import { createR2Files } from "./files/r2-files.ts";
import { createR2PromptLog } from "./files/r2-prompt-log.ts";
import { createR2PostBodies } from "./files/r2-post-bodies.ts";
import { createIdempotentRequests } from "./idempotency/d1-idempotency.ts";
import { createD1ApiKeys } from "./keys/d1-api-keys.ts";
import { timeD1 } from "./lib/time-d1.ts";
import { countD1 } from "./lib/count-d1.ts";
import { sha256Hex } from "./lib/digest.ts";
import { createLessons } from "./lessons.ts";
import { retryD1 } from "./lib/retry-d1.ts";
import { RoundFailure } from "./lib/round-failure.ts";
import type { Llm } from "./llm/llm.ts";
import { loggedLlm } from "./llm/logged-llm.ts";
import { createOpenAiLlm } from "./llm/openai/openai-llm.ts";
import type { RoundServices } from "./loop/run-round.ts";
import type { Abilities } from "./loop/turn.ts";
import { readDailyUsage } from "./memory/d1-daily-usage.ts";
import { createD1Store } from "./memory/d1-store.ts";
import { keepLargePosts } from "./memory/large-posts.ts";
import { emptyUsage } from "./memory/round.ts";
import type { SessionRef } from "./memory/session.ts";
import { createEdgeCaller } from "./plugins/edge-calls.ts";
import { createPluginHealth } from "./plugins/plugin-health.ts";
import { createPluginRanking } from "./plugins/plugin-ranking.ts";
import { createKeyQuota } from "./quota/client.ts";
import { roles as ownRoles } from "./roles/_registry.ts";
import { mergeRoles } from "./roles/merge-roles.ts";
import { knowledgeName } from "./roles/role.ts";
import { sandboxDrivers } from "./sandbox/_registry.ts";
import { knownCapabilities } from "./sandbox/known-capabilities.ts";
import { SandboxUnreachableError, type Sandbox } from "./sandbox/sandbox.ts";
import { createSessionClient } from "./session/client.ts";
import { timeSessionClient } from "./session/timed-client.ts";

/** An isolate keeps the deployment's parts, never a conversation's. */
const deployments = new WeakMap<Env, Deployment>();

export function deploymentOf(env: Env): Deployment {
  let deployment = deployments.get(env);
  if (!deployment) deployments.set(env, (deployment = createDeployment(env)));
  return deployment;
}

export const app = createHttp(deploymentOf, [
  { routes: openAiRoutes, docs: openAiDocs, owns: ownsPath, errorBody },
]);

function createDeployment(env: Env): Deployment {
  const roleList = mergeRoles(ownRoles, projectRoles, (role) => role);
  const roles = new Map(roleList.map((role) => [role.name, role]));
  const config = loadConfig(env, content, roleList);
  const llms = new Map<string, Llm>();
  /** One client an alias, made when it is first asked for. */
  const llm = (alias = ""): Llm => {
    const settings = config.model(alias);
    const made = llms.get(alias) ?? (settings ? createOpenAiLlm(settings) : missingModel);
    llms.set(alias, made);
    return made;
  };
  const embedders = createEmbedders(config.embedding, env);
  const sandbox = config.sandbox ? createSandbox(config.sandbox) : missingSandbox();
  const abilities: Abilities = {
    roles,
    roleConfig: config.roleConfig,
    prompt(role) {
      const { safety_rules: rules, ...prompt } = content.prompts[knowledgeName(role)] ?? {};
      return config.safetyRules && rules !== undefined ? { ...prompt, safety_rules: rules } : prompt;
    },
    knowledge: config.knowledge,
    rankPlugins: createPluginRanking(embedders),
    examples: (role) => (config.usesExamples(role) ? (content.examples[knowledgeName(role)] ?? []) : []),
    plugins: config.plugins,
    pluginHealth: createPluginHealth(),
    callEdgePlugin: createEdgeCaller({ plugins: config.plugins, edgePlugins, env }),
    llm: (role) => llm(config.llmAlias(role)),
    compression(role) {
      const settings = config.compression(role);
      if (!settings) return undefined;
      const { llmAlias, ...limits } = settings;
      const own = content.prompts[compressionPrompt(knowledgeName(role))];
      const { content: prompt = "" } = own ?? content.prompts[compressionPrompt()] ?? {};
      return { ...limits, prompt, llm: llm(llmAlias) };
    },
    sandbox,
    capabilities: knownCapabilities(sandbox),
  };
  const lessons = createLessons({
    database: env.DB,
    config,
    content,
    roles: roleList,
    embedders,
    llm: llm(config.experienceLlmAlias),
  });
  const documents = createDocumentLibrary({
    database: retryD1(env.DB),
    bucket: env.FILES,
    embedders,
    cutting: config.documents.cutting,
    waitUntil,
  });
  const rateLimiter: unknown = Reflect.get(env, "RATE_LIMITER");
  const createStore = (database: D1Database) =>
    keepLargePosts(createD1Store(database), createR2PostBodies(env.FILES));

  const keepPrompt = createR2PromptLog(env.FILES, waitUntil);
  const secrets = [
    ...["", ...config.modelAliases].map((alias) => config.model(alias)?.apiKey),
    config.sandbox?.token,
    ...config.apiKeys.map(({ key }) => key),
  ];
  const knownSecrets = secrets.filter((secret) => secret !== undefined);
  /** The abilities of a session's rounds: its prompts are kept where the deployment wants that. */
  const abilitiesFor = (ref: SessionRef): Abilities =>
    config.http.promptLog
      ? {
          ...abilities,
          llm: (role) =>
            loggedLlm(abilities.llm(role), {
              role: role.name,
              secrets: knownSecrets,
              keep: (record) => keepPrompt(ref, record),
            }),
        }
      : abilities;
  const logRound: RoundServices["log"] = config.http.logRequests
    ? (entry) => console.log(JSON.stringify({ event: "round", ...entry }))
    : undefined;

  const counting = (spent?: Spent): Pick<Deployment, "store" | "messageServices"> => ({
    store: createStore(retryD1(timed(env.DB, spent))),
    async messageServices(ref) {
      const usage = emptyUsage();
      const database = retryD1(countD1(timed(env.DB, spent), usage.d1));
      const sessionClient = createSessionClient(env.SESSIONS, ref, () => (usage.sessionCalls += 1));
      return {
        store: createStore(database),
        sessionClient: spent
          ? timeSessionClient(sessionClient, (ms) => (spent.sessionMs += ms))
          : sessionClient,
        files: createR2Files(env.FILES, database, ref),
        lessons: lessons.sourceFor(database, ref.tenant),
        documents: documents.sourceFor(ref.tenant, database),
        abilities: abilitiesFor(ref),
        ...(logRound ? { log: logRound } : {}),
        // Nobody who doesn't know tenant and session can name the session's interpreter.
        contextId: (await sha256Hex(JSON.stringify([ref.tenant, ref.id]))).slice(0, 40),
        limits: config.limits,
        usage,
      };
    },
  });

  return {
    config,
    roles,
    sandbox,
    experiences: lessons.experiences,
    lessonKeeper: lessons.keeper,
    documents,
    chatThreads: createChatThreads(env.DB),
    apiKeys: createD1ApiKeys(retryD1(env.DB)),
    quota: (caller) => createKeyQuota(env.QUOTAS, caller),
    ...(isRateLimiter(rateLimiter) ? { rateLimiter } : {}),
    idempotentRequests: createIdempotentRequests(retryD1(env.DB), env.FILES),
    dailyUsage: (options) => readDailyUsage(retryD1(env.DB), options),
    ...counting(),
    counting,
  };
}

const timed = (database: D1Database, spent: Spent | undefined) =>
  spent ? timeD1(database, (ms) => (spent.d1Ms += ms)) : database;

const isRateLimiter = (binding: unknown): binding is NonNullable<Deployment["rateLimiter"]> =>
  typeof binding === "object" && binding !== null && "limit" in binding;

function createSandbox({ driver, ...options }: NonNullable<Config["sandbox"]>): Sandbox {
  const drivers = new Map(Object.entries(sandboxDrivers));
  const create = drivers.get(driver);
  if (create) return create(options);
  throw new ConfigError(
    `SANDBOX_DRIVER is "${driver}", but must be one of: ${[...drivers.keys()].join(", ")}.`,
  );
}

const missingModel: Llm = {
  chat() {
    throw new RoundFailure(
      "model_unreachable",
      "No model is set up. Set OPENAI_API_KEY (npx wrangler secret put OPENAI_API_KEY), and OPENAI_BASE_URL and OPENAI_MODEL for a service other than OpenAI.",
    );
  },
};

/** A deployment without a sandbox answers all that needs no code. */
function missingSandbox(): Sandbox {
  const refuse = () => {
    throw new SandboxUnreachableError(
      "No code sandbox is set up, so code can't be run. Set SANDBOX_URL and SANDBOX_TOKEN (see docs/deploy.md).",
    );
  };
  return {
    capabilities: async () => ({ shell: false }),
    open: async () => refuse(),
    execute: refuse,
    interrupt: async () => {},
    putFile: async () => refuse(),
    getFile: async () => refuse(),
    listFiles: async () => refuse(),
    close: async () => {},
  };
}

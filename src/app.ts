import { content, edgePlugins, projectRoles } from "#content";
import type { Deployment } from "./channels/channel.ts";
import { createHttp } from "./channels/http/http.ts";
import { ConfigError, loadConfig, type Config } from "./config.ts";
import { createEmbedders } from "./embedders.ts";
import { createR2Files } from "./files/r2-files.ts";
import { createR2PostBodies } from "./files/r2-post-bodies.ts";
import { countD1 } from "./lib/count-d1.ts";
import { sha256Hex } from "./lib/digest.ts";
import { createLessons } from "./lessons.ts";
import { retryD1 } from "./lib/retry-d1.ts";
import { RoundFailure } from "./lib/round-failure.ts";
import type { Llm } from "./llm/llm.ts";
import { createOpenAiLlm } from "./llm/openai/openai-llm.ts";
import type { Abilities } from "./loop/turn.ts";
import { createD1Store } from "./memory/d1-store.ts";
import { keepLargePosts } from "./memory/large-posts.ts";
import { emptyUsage } from "./memory/round.ts";
import { createEdgeCaller } from "./plugins/edge-calls.ts";
import { createPluginHealth } from "./plugins/plugin-health.ts";
import { createPluginRanking } from "./plugins/plugin-ranking.ts";
import { roles as ownRoles } from "./roles/_registry.ts";
import { knowledgeName } from "./roles/role.ts";
import { sandboxDrivers } from "./sandbox/_registry.ts";
import { knownCapabilities } from "./sandbox/known-capabilities.ts";
import { SandboxUnreachableError, type Sandbox } from "./sandbox/sandbox.ts";
import { createSessionClient } from "./session/client.ts";

/** An isolate keeps the deployment's parts, never a conversation's. */
const deployments = new WeakMap<Env, Deployment>();

export function deploymentOf(env: Env): Deployment {
  let deployment = deployments.get(env);
  if (!deployment) deployments.set(env, (deployment = createDeployment(env)));
  return deployment;
}

export const app = createHttp(deploymentOf);

function createDeployment(env: Env): Deployment {
  const roleList = [...ownRoles, ...projectRoles];
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
    prompt: (role) => content.prompts[knowledgeName(role)] ?? {},
    knowledge: config.knowledge,
    rankPlugins: createPluginRanking(embedders),
    examples: (role) => (config.usesExamples(role) ? (content.examples[knowledgeName(role)] ?? []) : []),
    plugins: config.plugins,
    pluginHealth: createPluginHealth(),
    callEdgePlugin: createEdgeCaller({ plugins: config.plugins, edgePlugins, env }),
    llm: (role) => llm(config.llmAlias(role)),
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
  const createStore = (database: D1Database) =>
    keepLargePosts(createD1Store(database), createR2PostBodies(env.FILES));

  return {
    config,
    roles,
    sandbox,
    store: createStore(retryD1(env.DB)),
    experiences: lessons.experiences,
    lessonKeeper: lessons.keeper,
    async messageServices(ref) {
      const usage = emptyUsage();
      const database = retryD1(countD1(env.DB, usage.d1));
      return {
        store: createStore(database),
        sessionClient: createSessionClient(env.SESSIONS, ref, () => (usage.sessionCalls += 1)),
        files: createR2Files(env.FILES, database, ref),
        lessons: lessons.sourceFor(database, ref.tenant),
        abilities,
        // Nobody who doesn't know tenant and session can name the session's interpreter.
        contextId: (await sha256Hex(JSON.stringify([ref.tenant, ref.id]))).slice(0, 40),
        limits: config.limits,
        usage,
      };
    },
  };
}

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

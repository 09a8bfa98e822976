import type { DocumentSource } from "../documents/document.ts";
import type { EmitEvent } from "../events/event.ts";
import type { SessionFiles } from "../files/files.ts";
import { postId } from "../lib/id.ts";
import type { Llm } from "../llm/llm.ts";
import { splitAddedFiles } from "../memory/added-files.ts";
import { attachmentsOf, type Post } from "../memory/post.ts";
import type { Round, Usage } from "../memory/round.ts";
import { SHARED_MEMORY_ENTRY, sharedMemoryAttachment } from "../memory/shared-memory.ts";
import { BOARD, SIGNAL, type Fact, type SharedState } from "../memory/shared-state.ts";
import type { Session } from "../memory/session.ts";
import type { Horizon, RoleSummary } from "../memory/summary.ts";
import type { EdgeCaller } from "../plugins/edge-calls.ts";
import type { PluginHealth } from "../plugins/plugin-health.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { Role, Turn } from "../roles/role.ts";
import type { Sandbox, SandboxCapabilities } from "../sandbox/sandbox.ts";
import type { Example } from "../examples/example.ts";
import type { LessonSource } from "../experience/lessons.ts";
import type { PluginRanking } from "../plugins/select-plugins.ts";
import { createPostBuilder, defaultReceiver } from "./post-builder.ts";
import { memoryOf, type CompressionSettings } from "./compress.ts";
import { hasRunCode, lastGeneration } from "./horizon.ts";
import { countedLlm } from "./counted-llm.ts";
import { createTurnFiles } from "./turn-files.ts";
import { emptyTurnUsage, usageOfPost } from "./turn-usage.ts";
import { createTurnSandbox } from "./turn-sandbox.ts";
import { createTurnKnowledge, type KnowledgeSettings } from "./turn-knowledge.ts";

/** What the rounds of a deployment are run with: chosen once by the composition root, the same for every round. */
export interface Abilities {
  roles: Map<string, Role>;
  roleConfig(role: Role): Record<string, unknown>;
  prompt(role: Role): Record<string, string>;
  knowledge(role: Role): KnowledgeSettings;
  examples(role: Role): Example[];
  plugins: Plugin[];
  pluginHealth: PluginHealth;
  callEdgePlugin: EdgeCaller;
  rankPlugins: PluginRanking;
  llm(role: Role): Llm;
  /** Undefined for a role whose memory isn't compressed. */
  compression(role: Role): CompressionSettings | undefined;
  sandbox: Sandbox;
  /** Undefined when it can't be asked. */
  capabilities(): Promise<SandboxCapabilities | undefined>;
}

export interface TurnContext {
  role: Role;
  /** All roles of the session. */
  cast: Role[];
  session: Session;
  /** The conversation with the running round last. */
  rounds: Round[];
  summaries: RoleSummary[];
  horizon?: Horizon;
  /** What roles share now. */
  state(): SharedState;
  /** The Post that the turn answers is stored. */
  settled: Promise<void>;
  /** All that led to it, in no order. */
  facts(): Fact[];
  lessons: LessonSource;
  documents: DocumentSource;
  abilities: Abilities;
  files: SessionFiles;
  /** Names the session's interpreter in the sandbox. */
  contextId: string;
  emit: EmitEvent;
  usage: Usage;
  abort: AbortSignal;
  /** What this turn has put down before, by name. */
  recall(name: string): { value: unknown } | undefined;
  keep(name: string, value: unknown): Promise<void>;
  /** Sets variables of the session, for this turn and all that follows. */
  setVariables(changes: Record<string, string>): Promise<void>;
}

/** Lets a role take its turn; the Post is built but not yet stored. */
export async function takeTurn(context: TurnContext): Promise<Post> {
  const { role, cast, session, rounds, abilities, emit, usage } = context;
  const spent = emptyTurnUsage();
  const round = rounds.at(-1)!;
  const lastPost = round.posts.at(-1)!;
  const { builder, build } = createPostBuilder({
    id: postId(round.id, round.posts.length),
    sendFrom: role.alias,
    defaultReceiver: defaultReceiver(role.alias, lastPost),
    emit,
  });
  const files = splitAddedFiles(round.userQuery).names;
  const emitOfPost: EmitEvent = (type, data) => emit(type, data, builder.id);
  const sandbox = createTurnSandbox({
    context,
    postId: builder.id,
    turnId: `${round.id}-${round.posts.length}`,
    roundId: round.id,
    knownGeneration: lastGeneration(context),
    freshFiles: hasRunCode(round) ? [] : files,
    emit: emitOfPost,
    onSpent: (ms) => {
      usage.sandboxMs += ms;
      spent.sandboxMs += ms;
    },
  });
  const signalOf = (key: string) => {
    const value = own(context.state().signals, key);
    return value === undefined ? [] : [value];
  };
  const { knowledge, trace } = createTurnKnowledge({
    settings: () => abilities.knowledge(role),
    alias: role.alias,
    cast: cast.map(({ alias }) => alias),
    examples: () => abilities.examples(role),
    plugins: async () => (await sandbox.workingPlugins()).map(({ spec }) => spec),
    rankPlugins: abilities.rankPlugins,
    lessons: context.lessons,
    facts: context.facts,
    roundSeq: round.seq,
    usedCode: rounds.flatMap(({ posts }) => posts.flatMap((post) => attachmentsOf(post, "reply_content"))),
    emit: emitOfPost,
  });

  const turn: Turn = {
    alias: role.alias,
    query: round.userQuery,
    memory: memoryOf(context, role.alias),
    lastPost: {
      sendFrom: lastPost.sendFrom,
      message: lastPost.message,
      attachments: (type) => [...attachmentsOf(lastPost, type), ...signalOf(type)],
    },
    config: abilities.roleConfig(role),
    prompt: abilities.prompt(role),
    workers: cast.filter((other) => other !== role).map(({ alias, intro }) => ({ alias, intro })),
    post: builder,
    shared: {
      get: (type) => context.state().shared.filter((entry) => type === undefined || entry.type === type),
      put(entry) {
        const { content, extra } = sharedMemoryAttachment(entry);
        builder.attach(SHARED_MEMORY_ENTRY, content, extra);
      },
    },
    board: {
      read: ((alias?: string) => {
        const { board } = context.state();
        return alias === undefined ? { ...board } : own(board, alias);
      }) as Turn["board"]["read"],
      write: (text) => builder.attach(BOARD, text),
    },
    signals: {
      get: (key) => own(context.state().signals, key),
      set: (key, value) => builder.attach(SIGNAL, `${key}:${value}`),
    },
    get variables() {
      return session.variables;
    },
    llm: countedLlm(abilities.llm(role), usage, spent),
    sandbox: { run: sandbox.run, capabilities: abilities.capabilities },
    plugins: abilities.plugins.map(({ spec }) => spec),
    ...knowledge,
    documents: context.documents,
    files,
    sessionFiles: createTurnFiles(context.files),
    async checkpoint(name, fn) {
      const known = context.recall(name);
      if (known) return known.value as Awaited<ReturnType<typeof fn>>;
      const value = await fn();
      await context.settled;
      await context.keep(name, value);
      return value;
    },
    abort: context.abort,
    emit: emitOfPost,
  };

  builder.status("thinking");
  await role.reply(turn);
  const cost = usageOfPost(spent);
  const kept = { ...trace(), ...(cost ? { usage: cost } : {}) };
  return { ...build(), ...(Object.keys(kept).length > 0 ? { trace: kept } : {}) };
}

/** Keys come from models and from outside: `constructor` must not find what no one has set. */
function own(record: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

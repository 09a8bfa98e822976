import type { SessionEvent } from "../../src/events/event.ts";
import type { DocumentSource } from "../../src/documents/document.ts";
import type { SessionFiles } from "../../src/files/files.ts";
import type { LessonSource } from "../../src/experience/lessons.ts";
import type { CompressionSettings } from "../../src/loop/compress.ts";
import type { KnowledgeSettings } from "../../src/loop/turn-knowledge.ts";
import type { Llm } from "../../src/llm/llm.ts";
import { createId } from "../../src/lib/id.ts";
import { runAndWait } from "../../src/loop/send-message.ts";
import { createInMemoryStore } from "../../src/memory/in-memory-store.ts";
import { emptyUsage } from "../../src/memory/round.ts";
import type { EdgeCaller } from "../../src/plugins/edge-calls.ts";
import { createPluginHealth } from "../../src/plugins/plugin-health.ts";
import type { Plugin } from "../../src/plugins/plugin.ts";
import { knowledgeName, type Role } from "../../src/roles/role.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SessionClient } from "../../src/session/session.ts";

const notThere = (what: string) => (): never => {
  throw new Error(`This test has no ${what}.`);
};

const noLlm: Llm = { chat: notThere("model") };
const noSandbox: Sandbox = {
  capabilities: notThere("sandbox"),
  open: notThere("sandbox"),
  execute: notThere("sandbox"),
  interrupt: notThere("sandbox"),
  putFile: notThere("sandbox"),
  getFile: notThere("sandbox"),
  listFiles: notThere("sandbox"),
  close: notThere("sandbox"),
};
const noLessons: LessonSource = { find: notThere("lessons") };
const knowledge: KnowledgeSettings = {
  name: "",
  useExperience: false,
  dynamicExperience: true,
  dynamicExamples: true,
  lessons: { threshold: undefined, topK: 5, maxTokens: 2000 },
  exampleTokens: 8000,
};
const noDocuments: DocumentSource = { search: notThere("documents") };
const noFiles: SessionFiles = {
  putUpload: notThere("files"),
  listUploads: notThere("files"),
  findUpload: notThere("files"),
  getUpload: notThere("files"),
  deleteUpload: notThere("files"),
  putArtifact: notThere("files"),
  listArtifacts: notThere("files"),
  findArtifact: notThere("files"),
  getArtifact: notThere("files"),
  deleteAll: notThere("files"),
};

const emptyFiles: SessionFiles = {
  ...noFiles,
  listUploads: async () => [],
  putArtifact: async () => {},
};

/** Gives the lease to whoever asks, and keeps events and checkpoints: a session that nobody else uses. */
function soleSession(cancelled: Promise<"cancelled">): SessionClient {
  let fence = 0;
  let nextEventId = 1;
  let checkpoints: Record<string, unknown> = {};
  const keep = (events: SessionEvent[]) => void (nextEventId = (events.at(-1)?.id ?? nextEventId - 1) + 1);
  return {
    begin: async () => ({
      kind: "granted",
      lease: {
        fence: ++fence,
        attempt: 1,
        nextEventId,
        told: { started: false, endedPosts: [] },
        checkpoints: structuredClone(checkpoints),
        cancelled: false,
        startedAt: Date.now(),
        usage: null,
      },
    }),
    async commit({ events }) {
      keep(events);
      return { facts: [] };
    },
    async end({ events }) {
      keep(events);
      checkpoints = {};
    },
    async checkpoint({ key, value }) {
      checkpoints[key] ??= value;
    },
    untilCancelled: () => cancelled,
    sharedState: notThere("shared state"),
    tellOutside: async () => {},
    renew: notThere("lease to renew"),
    release: notThere("lease to release"),
    enqueue: notThere("queue"),
    cancel: notThere("queue"),
    findRequest: notThere("queue"),
    eventsAfter: notThere("event log"),
    watch: notThere("event log"),
    destroy: notThere("object to destroy"),
  };
}

/** A session with these roles, played by the real loop over the in-memory store. */
export async function playSession(
  roles: Role[],
  options: {
    llm?: Llm;
    roundTokens?: number;
    sessionTokens?: number;
    maxReplies?: number;
    timeMs?: number;
    roleConfig?: Record<string, Record<string, unknown>>;
    knowledge?: Record<string, Partial<KnowledgeSettings>>;
    lessons?: LessonSource;
    compression?: (role: Role) => CompressionSettings | undefined;
    /** By the name of a role's knowledge; the roles' own where this is `content.prompts`. */
    prompts?: Record<string, Record<string, string>>;
    sandbox?: Sandbox;
    files?: Partial<SessionFiles>;
    documents?: DocumentSource;
    contextId?: string;
    plugins?: Plugin[];
    callEdgePlugin?: EdgeCaller;
  } = {},
) {
  const store = createInMemoryStore();
  const ref = { tenant: "test", id: "session-1" };
  const now = Date.now();
  const names = roles.map(({ name }) => name);
  const times = { createdAt: now, updatedAt: now };
  await store.createSession({
    ...ref,
    roles: names,
    title: null,
    metadata: {},
    variables: {},
    variablesVersion: 0,
    state: "idle",
    ...times,
  });
  let session: SessionClient | undefined;
  const events: SessionEvent[] = [];

  return {
    store,
    ref,
    events,
    async say(message: string, abort: AbortSignal = new AbortController().signal) {
      const cancelled = new Promise<"cancelled">((resolve) => {
        abort.addEventListener("abort", () => resolve("cancelled"));
      });
      session ??= soleSession(cancelled);
      const sessionClient = { ...session, untilCancelled: () => cancelled };
      const request = {
        tenant: ref.tenant,
        sessionId: ref.id,
        roundId: createId("round"),
        userQuery: message,
      };
      const outcome = await runAndWait({
        request: { ...request, createdAt: Date.now() },
        rejectIfBusy: false,
        onEvent: (event) => events.push(event),
        services: {
          store,
          sessionClient,
          files: { ...(options.sandbox ? emptyFiles : noFiles), ...options.files },
          lessons: options.lessons ?? noLessons,
          documents: options.documents ?? noDocuments,
          contextId: options.contextId ?? "context-1",
          limits: {
            maxReplies: options.maxReplies ?? 10,
            timeMs: options.timeMs ?? 60_000,
            leaseMs: 60_000,
            roundTokens: options.roundTokens,
            sessionTokens: options.sessionTokens,
          },
          usage: emptyUsage(),
          abilities: {
            roles: new Map(roles.map((role) => [role.name, role])),
            roleConfig: ({ name }) => options.roleConfig?.[name] ?? {},
            prompt: (role) => options.prompts?.[knowledgeName(role)] ?? {},
            knowledge: ({ name }) => ({ ...knowledge, name, ...options.knowledge?.[name] }),
            rankPlugins: notThere("ranking of plugins"),
            examples: () => [],
            plugins: options.plugins ?? [],
            compression: (role) => options.compression?.(role),
            pluginHealth: createPluginHealth(),
            callEdgePlugin: options.callEdgePlugin ?? notThere("edge plugins"),
            llm: () => options.llm ?? noLlm,
            sandbox: options.sandbox ?? noSandbox,
            capabilities: async () => options.sandbox?.capabilities().catch(() => undefined),
          },
        },
      });
      if (outcome.kind !== "round") throw new Error(outcome.kind);
      return outcome.round;
    },
  };
}

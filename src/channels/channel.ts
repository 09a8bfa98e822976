import type { Config } from "../config.ts";
import type { DocumentLibrary } from "../documents/library.ts";
import type { ExperienceStore } from "../experience/d1-experiences.ts";
import type { LessonKeeper } from "../experience/keeper.ts";
import type { LessonSource } from "../experience/lessons.ts";
import type { IdempotentRequests } from "../idempotency/idempotency.ts";
import type { ApiKeys } from "../keys/api-keys.ts";
import type { Caller } from "../keys/key.ts";
import type { RoundServices } from "../loop/run-round.ts";
import type { DailyUsage } from "../memory/daily-usage.ts";
import type { Usage } from "../memory/round.ts";
import type { SessionRef } from "../memory/session.ts";
import type { ConversationStore } from "../memory/store.ts";
import type { KeyQuota } from "../quota/quota.ts";
import type { Role } from "../roles/role.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** Where a conversation was when it had come to a digest of its messages. */
export interface ThreadPlace {
  sessionId: string;
  roundId: string;
}

/** Finds the sessions of clients that know a conversation by its messages only. */
export interface ChatThreads {
  find(tenant: string, digest: string): Promise<ThreadPlace | undefined>;
  keep(tenant: string, digest: string, place: ThreadPlace): Promise<void>;
  forget(ref: SessionRef): Promise<void>;
}

/** What a channel's routes find with a request: who speaks is known by then. */
export interface ChannelEnv {
  Bindings: Env;
  Variables: {
    deployment: Deployment;
    spent: Spent;
    requestId: string;
    /** The round that the request is about. */
    roundId?: string;
    caller: Caller;
    tenant: string;
    /** Of a request with an Idempotency-Key: the id of the round that it starts. */
    claim?: string;
  };
}

/** Where the time of a request went. */
export interface Spent {
  d1Ms: number;
  sessionMs: number;
  /** Of the round that the request waited for. */
  receipt?: Usage;
}

/**
 * What a channel is handed: the deployment's parts, put together. A channel verifies who speaks, turns what it gets into
 * messages of a session, and delivers what comes of them; it holds nothing of any conversation.
 */
export interface Deployment {
  config: Config;
  roles: Map<string, Role>;
  sandbox: Sandbox;
  store: ConversationStore;
  /** What a tenant's roles may learn from. */
  experiences(tenant: string): { store: ExperienceStore; lessons: LessonSource };
  lessonKeeper: LessonKeeper;
  documents: DocumentLibrary;
  chatThreads: ChatThreads;
  /** The keys that were made for this deployment, besides those of its configuration. */
  apiKeys: ApiKeys;
  idempotentRequests: IdempotentRequests;
  /** What a key has left of what it may use. */
  quota(caller: Caller): KeyQuota;
  /** Cloudflare's own counter of requests, where it is bound: roughly exact, and next to the caller. */
  rateLimiter?: { limit(options: { key: string }): Promise<{ success: boolean }> };
  /** What a tenant's rounds have cost, by day (the first and the last one are given) and key. */
  dailyUsage(options: { tenant: string; from: string; to: string }): Promise<DailyUsage[]>;
  /** The parts that cost time, with what is spent for one request counted. */
  counting(spent: Spent): Pick<Deployment, "store" | "messageServices">;
  /** What a round of this session is run with; what it costs is counted on its own receipt. */
  messageServices(ref: SessionRef): Promise<RoundServices>;
}

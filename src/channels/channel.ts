import type { Config } from "../config.ts";
import type { ExperienceStore } from "../experience/d1-experiences.ts";
import type { LessonKeeper } from "../experience/keeper.ts";
import type { LessonSource } from "../experience/lessons.ts";
import type { IdempotentRequests } from "../idempotency/idempotency.ts";
import type { RoundServices } from "../loop/run-round.ts";
import type { DailyUsage } from "../memory/d1-daily-usage.ts";
import type { SessionRef } from "../memory/session.ts";
import type { ConversationStore } from "../memory/store.ts";
import type { Role } from "../roles/role.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

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
  idempotentRequests: IdempotentRequests;
  /** What a tenant's rounds have cost, by day (the first and the last one are given) and key. */
  dailyUsage(options: { tenant: string; from: string; to: string }): Promise<DailyUsage[]>;
  /** What a round of this session is run with; what it costs is counted on its own receipt. */
  messageServices(ref: SessionRef): Promise<RoundServices>;
}

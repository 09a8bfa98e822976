import { DurableObject } from "cloudflare:workers";
import type { SessionEvent } from "../events/event.ts";
import type { Fact } from "../memory/shared-state.ts";
import { createEventLog } from "./event-log.ts";
import { createLiveState, type ReportedFacts } from "./live-state.ts";
import { createRoundQueue } from "./round-queue.ts";
import { createWatchers } from "./watchers.ts";
import type { HeldVariables, RoundRequest, Usage } from "./session.ts";

/** A waiting handler that was called up and doesn't come has lost its client or its life. */
const CALL_UP_MS = 3000;
const EVENTS_PER_ANSWER = 500;

/**
 * Calls carry the version of their shape: during a deployment an older Worker talks to a newer object and the other way
 * round. Fields may be added to a shape; a changed meaning takes a new version. What is structured travels as JSON.
 */
interface Versioned {
  version: 1;
}

export type BeginReply =
  | { kind: "granted"; lease: string }
  | { kind: "queued"; position: number }
  | { kind: "busy" }
  | { kind: "elsewhere" };

type Held = Versioned & { fence: number };

/**
 * One a session: keeps its rounds in order, gives the lease under which one is run, keeps the events, and sees to it
 * that a round whose runner is gone is taken up by another.
 */
export class SessionObject extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;
  private readonly queue = createRoundQueue(this.sql);
  private readonly log = createEventLog(this.sql);
  private readonly live = createLiveState(this.sql);
  private readonly watchers = createWatchers(this.ctx, this.log);
  /** Handlers that wait for their round's turn, as long as their calls live. */
  private readonly waiting = new Map<string, () => void>();
  private readonly eventWaiters = new Set<() => void>();
  private readonly cancelWaiters = new Map<number, (outcome: "cancelled" | "over") => void>();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS checkpoints (
      round_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (round_id, key)) WITHOUT ROWID`);
  }

  /** Accepts a round, and gives its lease if it is first. Asked again once `waitInLine` has returned. */
  async begin(
    call: Versioned & { request: RoundRequest; leaseMs: number; rejectIfBusy?: boolean; again?: boolean },
  ) {
    const { request, leaseMs } = call;
    const { roundId } = request;
    if (call.rejectIfBusy && !this.queue.isEmpty()) return { kind: "busy" } satisfies BeginReply;
    if (call.again && !this.queue.find(roundId)) return { kind: "elsewhere" } satisfies BeginReply;
    this.queue.add(request);
    const first = this.queue.first()!;
    if (first.roundId !== roundId) {
      await this.armAlarm(Date.now() + leaseMs);
      return { kind: "queued", position: this.queue.position(roundId) } satisfies BeginReply;
    }
    const lease = this.queue.lease();
    if (lease.roundId === roundId && lease.expiresAt > Date.now())
      return { kind: "elsewhere" } satisfies BeginReply;
    return { kind: "granted", lease: await this.grant(roundId, leaseMs) } satisfies BeginReply;
  }

  /** Resolves when the round may have come to the head of the queue. */
  async waitInLine({ roundId }: Versioned & { roundId: string }): Promise<void> {
    const isDue = () => {
      const first = this.queue.first();
      return !this.queue.find(roundId) || first?.roundId === roundId;
    };
    if (isDue()) return;
    const called = new Promise<void>((resolve) => this.waiting.set(roundId, resolve));
    // Not for ever: a caller that is gone would be waited for as if it were there.
    await Promise.race([called, scheduler.wait(CALL_UP_MS)]);
    this.waiting.delete(roundId);
  }

  async enqueue({ request, leaseMs }: Versioned & { request: RoundRequest; leaseMs: number }): Promise<void> {
    this.queue.add(request);
    await this.armAlarm(this.queue.first()?.roundId === request.roundId ? Date.now() : Date.now() + leaseMs);
  }

  /** What came from outside meanwhile, as JSON; null when the lease was given on. */
  async commit(call: Held & { events: string; facts: string; usage: Usage }): Promise<string | null> {
    if (!this.queue.renew(call.fence, Date.now(), call.usage)) return null;
    this.keepEvents(call.events);
    const report = JSON.parse(call.facts) as ReportedFacts;
    const news = this.live.report(report);
    // A runner of an earlier version knows of facts only.
    return JSON.stringify(report.variables ? news : news.facts);
  }

  async renew({ fence }: Held): Promise<boolean> {
    return this.queue.renew(fence, Date.now());
  }

  async release(call: Held & { events: string; facts: string; usage: Usage }): Promise<boolean> {
    if ((await this.commit(call)) === null) return false;
    this.queue.release();
    this.cancelWaiters.get(call.fence)?.("over");
    await this.armAlarm(Date.now());
    return true;
  }

  /** The first value under a key stays: a turn that is taken up again finds what the first one put down. */
  async checkpoint({ fence, key, value }: Held & { key: string; value: string }): Promise<boolean> {
    if (!this.queue.renew(fence, Date.now())) return false;
    const { roundId } = this.queue.lease();
    this.sql.exec(
      "INSERT OR IGNORE INTO checkpoints (round_id, key, value) VALUES (?, ?, ?)",
      roundId,
      key,
      value,
    );
    return true;
  }

  async end({
    fence,
    events,
    facts,
    failed,
  }: Held & { events: string; facts: string | null; failed: boolean }) {
    const now = Date.now();
    const { roundId } = this.queue.lease();
    if (roundId === null || !this.queue.renew(fence, now)) return false;
    this.keepEvents(events);
    if (facts) this.live.report(JSON.parse(facts) as ReportedFacts);
    if (failed) this.live.roundFailed();
    this.sql.exec("DELETE FROM checkpoints WHERE round_id = ?", roundId);
    this.queue.remove(roundId);
    this.log.trim(now);
    this.cancelWaiters.get(fence)?.("over");
    await this.callUpNext();
    return true;
  }

  async untilCancelled({ fence }: Held): Promise<"cancelled" | "over"> {
    const lease = this.queue.lease();
    if (lease.fence !== fence || lease.roundId === null) return "over";
    if (this.queue.find(lease.roundId)?.cancelled) return "cancelled";
    this.cancelWaiters.get(fence)?.("over");
    const outcome = await new Promise<"cancelled" | "over">((resolve) =>
      this.cancelWaiters.set(fence, resolve),
    );
    this.cancelWaiters.delete(fence);
    return outcome;
  }

  async cancel({ roundId }: Versioned & { roundId: string }): Promise<boolean> {
    if (!this.queue.markCancelled(roundId)) return false;
    const lease = this.queue.lease();
    if (lease.roundId === roundId) this.cancelWaiters.get(lease.fence)?.("cancelled");
    return true;
  }

  async findRequest({ roundId }: Versioned & { roundId: string }): Promise<RoundRequest | null> {
    return this.queue.find(roundId)?.request ?? null;
  }

  async eventsAfter({ after, waitMs }: Versioned & { after: number; waitMs: number }) {
    const read = () => this.log.after(after, EVENTS_PER_ANSWER);
    let events = read();
    if (events.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.eventWaiters.add(resolve);
      await Promise.race([promise, scheduler.wait(waitMs)]);
      this.eventWaiters.delete(resolve);
      events = read();
    }
    return { events: JSON.stringify(events), forgotten: this.log.hasForgotten(after) };
  }

  /** A listener's WebSocket. The Worker has seen to it that it may listen. */
  override async fetch(request: Request): Promise<Response> {
    const { after, snapshot } = JSON.parse(request.headers.get("x-watch") ?? "{}") as {
      after: number;
      snapshot: SessionEvent;
    };
    return this.watchers.open(after, snapshot);
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  async sharedState(_call: Versioned): Promise<string | null> {
    const state = this.live.state();
    return state ? JSON.stringify(state) : null;
  }

  async tellOutside({ facts, variables }: Versioned & { facts: string; variables?: string }): Promise<void> {
    this.live.addOutside(JSON.parse(facts) as Fact[]);
    if (variables) this.live.holdVariables(JSON.parse(variables) as HeldVariables);
  }

  async destroy(_call: Versioned): Promise<void> {
    this.sql.exec("DELETE FROM checkpoints");
    this.queue.clear();
    this.log.clear();
    this.live.clear();
    this.watchers.closeAll("The session was deleted.");
    for (const tell of this.cancelWaiters.values()) tell("over");
    for (const wake of this.waiting.values()) wake();
    await this.ctx.storage.deleteAlarm();
  }

  /** Takes up the first round when nobody else does: its runner is gone, or nobody waits for it. */
  override async alarm(): Promise<void> {
    const first = this.queue.first();
    if (!first) return;
    const lease = this.queue.lease();
    if (lease.roundId === first.roundId && lease.expiresAt > Date.now())
      return this.armAlarm(lease.expiresAt);
    const leaseMs = lease.leaseMs || CALL_UP_MS;
    const granted = await this.grant(first.roundId, leaseMs);
    try {
      await this.ctx.exports.RoundRunner.run({ version: 1, request: first.request, lease: granted, leaseMs });
    } catch (error) {
      // The runner is gone, not the round: the alarm that the lease has set comes for it.
      console.warn("A round's runner failed; the round is taken up again.", error);
    }
    const next = this.queue.first();
    const held = this.queue.lease();
    if (next) await this.armAlarm(held.roundId === next.roundId ? held.expiresAt : Date.now());
  }

  private async grant(roundId: string, leaseMs: number): Promise<string> {
    const now = Date.now();
    const lease = this.queue.lease();
    this.cancelWaiters.get(lease.fence)?.("over");
    const isTakeover = (this.queue.find(roundId)?.attempts ?? 0) > 0;
    if (isTakeover) this.log.skipUnstored();
    const fence = this.queue.grant(roundId, leaseMs, now);
    const round = this.queue.find(roundId)!;
    const checkpoints = this.sql
      .exec<{ key: string; value: string }>("SELECT key, value FROM checkpoints WHERE round_id = ?", roundId)
      .toArray();
    await this.armAlarm(now + leaseMs);
    return JSON.stringify({
      fence,
      attempt: round.attempts,
      nextEventId: this.log.nextId(),
      told: this.log.ofRound(roundId),
      checkpoints: Object.fromEntries(
        checkpoints.map(({ key, value }) => [key, JSON.parse(value) as unknown]),
      ),
      cancelled: round.cancelled,
      startedAt: round.startedAt,
      usage: round.usage,
    });
  }

  private keepEvents(json: string): void {
    const events = JSON.parse(json) as SessionEvent[];
    this.log.append(events, Date.now());
    this.watchers.tellAll(events);
    for (const wake of this.eventWaiters) wake();
  }

  /** The next round's handler, if one waits, or else the alarm. */
  private async callUpNext(): Promise<void> {
    const first = this.queue.first();
    if (!first) return this.ctx.storage.deleteAlarm();
    const wake = this.waiting.get(first.roundId);
    wake?.();
    // An alarm is an absolute time: this one comes before the lease's, which it replaces.
    await this.ctx.storage.setAlarm(Date.now() + (wake ? CALL_UP_MS : 0));
  }

  /** The earliest of the times that were asked for. */
  private async armAlarm(at: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }
}

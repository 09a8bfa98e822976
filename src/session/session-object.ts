import { DurableObject } from "cloudflare:workers";

/** A lease that isn't renewed by then is given to the next one who asks. */
const LEASE_MS = 5 * 60_000;
/** Who was called up and doesn't come loses its place. */
const CALL_UP_MS = 5000;

/**
 * Calls carry the version of their shape: during a deployment an older Worker talks to a newer object and the other way
 * round. Fields may be added to a shape; a changed meaning takes a new version.
 */
interface Versioned {
  version: 1;
}

export type BeginReply =
  | { granted: true; fence: number; nextEventId: number; /** As JSON. */ checkpoints: Record<string, string> }
  | { granted: false; position: number };

interface Waiter {
  roundId: string;
  wake: () => void;
}

/** One a session: gives the lease under which a round is run, and keeps what a turn must not lose. */
export class SessionObject extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;
  /** Rounds that wait, in order. They live as long as the calls that made them. */
  private readonly waiting: Waiter[] = [];

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS lease (
      one INTEGER PRIMARY KEY CHECK (one = 1), fence INTEGER NOT NULL, round_id TEXT, expires_at INTEGER NOT NULL,
      next_event_id INTEGER NOT NULL)`);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS checkpoints (
      round_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (round_id, key)) WITHOUT ROWID`);
    this.sql.exec("INSERT OR IGNORE INTO lease VALUES (1, 0, NULL, 0, 1)");
  }

  /** Takes the lease for a round, or says how many rounds are before it. */
  async begin({ roundId }: Versioned & { roundId: string }): Promise<BeginReply> {
    const { round_id: holder, expires_at: expiresAt } = this.lease();
    const ahead = this.waiting.findIndex((waiter) => waiter.roundId === roundId);
    const isNext = this.waiting.length === 0 || ahead === 0;
    const isFree = holder === null || holder === roundId || expiresAt <= Date.now();
    if (!isFree || !isNext) {
      return { granted: false, position: ahead < 0 ? this.waiting.length + 1 : ahead + 1 };
    }
    if (ahead === 0) this.waiting.shift();
    const granted = this.sql
      .exec<{ fence: number; next_event_id: number }>(
        `UPDATE lease SET fence = fence + 1, round_id = ?, expires_at = ? RETURNING fence, next_event_id`,
        roundId,
        Date.now() + LEASE_MS,
      )
      .one();
    const kept = this.sql
      .exec<{ key: string; value: string }>("SELECT key, value FROM checkpoints WHERE round_id = ?", roundId)
      .toArray();
    return {
      granted: true,
      fence: granted.fence,
      nextEventId: granted.next_event_id,
      checkpoints: Object.fromEntries(kept.map(({ key, value }) => [key, value])),
    };
  }

  /** Resolves when the round may have come to the head of the queue: it asks again then. */
  async waitInLine({ roundId }: Versioned & { roundId: string }): Promise<void> {
    let waiter = this.waiting.find((candidate) => candidate.roundId === roundId);
    if (!waiter) this.waiting.push((waiter = { roundId, wake: () => {} }));
    const lease = this.lease();
    if (lease.round_id === null && this.waiting[0] === waiter) return;
    const expiry = Math.max(lease.expires_at - Date.now(), 0);
    const called = new Promise<void>((resolve) => (waiter.wake = resolve));
    await Promise.race([called, scheduler.wait(expiry)]);
  }

  async commit({ fence, nextEventId }: Versioned & { fence: number; nextEventId: number }): Promise<void> {
    this.sql.exec(
      "UPDATE lease SET expires_at = ?, next_event_id = max(next_event_id, ?) WHERE fence = ? AND round_id IS NOT NULL",
      Date.now() + LEASE_MS,
      nextEventId,
      fence,
    );
  }

  /** The first value under a key stays: a turn that is taken up again finds what the first one put down. */
  async checkpoint({
    fence,
    key,
    value,
  }: Versioned & { fence: number; key: string; value: string }): Promise<void> {
    this.sql.exec(
      `INSERT OR IGNORE INTO checkpoints (round_id, key, value)
        SELECT round_id, ?, ? FROM lease WHERE fence = ? AND round_id IS NOT NULL`,
      key,
      value,
      fence,
    );
  }

  async end({ fence, nextEventId }: Versioned & { fence: number; nextEventId: number }): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      const lease = this.lease();
      if (lease.fence !== fence || lease.round_id === null) return;
      this.sql.exec("DELETE FROM checkpoints WHERE round_id = ?", lease.round_id);
      this.sql.exec(
        "UPDATE lease SET round_id = NULL, expires_at = 0, next_event_id = max(next_event_id, ?)",
        nextEventId,
      );
    });
    this.wakeFirst();
  }

  /** Forgets the session. The fence goes on growing, so that a runner of the old one can't write into a new one. */
  async destroy(_call: Versioned): Promise<void> {
    this.sql.exec("DELETE FROM checkpoints");
    this.sql.exec("UPDATE lease SET fence = fence + 1, round_id = NULL, expires_at = 0, next_event_id = 1");
    this.wakeFirst();
  }

  private wakeFirst(): void {
    const first = this.waiting[0];
    if (!first) return;
    first.wake();
    void scheduler.wait(CALL_UP_MS).then(() => {
      if (this.waiting[0] === first && this.lease().round_id === null) this.remove(first.roundId);
    });
  }

  private remove(roundId: string): void {
    const place = this.waiting.findIndex((waiter) => waiter.roundId === roundId);
    if (place >= 0) this.waiting.splice(place, 1);
    this.wakeFirst();
  }

  private lease() {
    return this.sql
      .exec<{ fence: number; round_id: string | null; expires_at: number; next_event_id: number }>(
        "SELECT fence, round_id, expires_at, next_event_id FROM lease",
      )
      .one();
  }
}

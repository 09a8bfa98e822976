import type { RoundRequest, Usage } from "./session.ts";

export interface QueuedRound {
  roundId: string;
  request: RoundRequest;
  /** How often a runner was given the round. */
  attempts: number;
  cancelled: boolean;
  /** When the first runner got it. */
  startedAt: number | null;
  /** What it has cost so far, as the last runner told. */
  usage: Usage | null;
}

export interface LeaseRow {
  fence: number;
  roundId: string | null;
  expiresAt: number;
  leaseMs: number;
}

type Sql = DurableObjectStorage["sql"];
type QueueRow = {
  round_id: string;
  request: string;
  attempts: number;
  cancelled: number;
  started_at: number | null;
  usage: string | null;
};

/**
 * The rounds of a session in their order, and the lease under which the first of them is run. A round stays first until
 * it has ended, whoever runs it, so that none is passed by another.
 */
export function createRoundQueue(sql: Sql) {
  sql.exec(`CREATE TABLE IF NOT EXISTS lease (
    one INTEGER PRIMARY KEY CHECK (one = 1), fence INTEGER NOT NULL, round_id TEXT, expires_at INTEGER NOT NULL,
    lease_ms INTEGER NOT NULL)`);
  sql.exec("INSERT OR IGNORE INTO lease VALUES (1, 0, NULL, 0, 0)");
  sql.exec(`CREATE TABLE IF NOT EXISTS queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT, round_id TEXT NOT NULL UNIQUE, request TEXT NOT NULL,
    attempts INTEGER NOT NULL, cancelled INTEGER NOT NULL, started_at INTEGER, usage TEXT)`);

  const toQueued = (row: QueueRow): QueuedRound => ({
    roundId: row.round_id,
    request: JSON.parse(row.request) as RoundRequest,
    attempts: row.attempts,
    cancelled: row.cancelled === 1,
    startedAt: row.started_at,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
  });

  const lease = (): LeaseRow =>
    sql
      .exec<{ fence: number; roundId: string | null; expiresAt: number; leaseMs: number }>(
        "SELECT fence, round_id AS roundId, expires_at AS expiresAt, lease_ms AS leaseMs FROM lease",
      )
      .one();

  return {
    lease,

    add(request: RoundRequest): void {
      sql.exec(
        "INSERT OR IGNORE INTO queue (round_id, request, attempts, cancelled) VALUES (?, ?, 0, 0)",
        request.roundId,
        JSON.stringify(request),
      );
    },

    first(): QueuedRound | undefined {
      const [row] = sql.exec<QueueRow>("SELECT * FROM queue ORDER BY place LIMIT 1").toArray();
      return row && toQueued(row);
    },

    find(roundId: string): QueuedRound | undefined {
      const [row] = sql.exec<QueueRow>("SELECT * FROM queue WHERE round_id = ?", roundId).toArray();
      return row && toQueued(row);
    },

    /** How many rounds are to end before this one begins. */
    position(roundId: string): number {
      return sql
        .exec<{ ahead: number }>(
          "SELECT count(*) AS ahead FROM queue WHERE place < (SELECT place FROM queue WHERE round_id = ?)",
          roundId,
        )
        .one().ahead;
    },

    isEmpty: () => sql.exec("SELECT 1 FROM queue LIMIT 1").toArray().length === 0,

    /** Gives the lease of a round to a runner: whoever had it before can write no more. */
    grant(roundId: string, leaseMs: number, now: number): number {
      sql.exec(
        "UPDATE queue SET attempts = attempts + 1, started_at = coalesce(started_at, ?) WHERE round_id = ?",
        now,
        roundId,
      );
      return sql
        .exec<{ fence: number }>(
          "UPDATE lease SET fence = fence + 1, round_id = ?, expires_at = ?, lease_ms = ? RETURNING fence",
          roundId,
          now + leaseMs,
          leaseMs,
        )
        .one().fence;
    },

    /** The runner is alive. False when its lease was given on. */
    renew(fence: number, now: number, usage?: Usage): boolean {
      const { roundId, fence: current, leaseMs } = lease();
      if (current !== fence || roundId === null) return false;
      sql.exec("UPDATE lease SET expires_at = ?", now + leaseMs);
      if (usage) sql.exec("UPDATE queue SET usage = ? WHERE round_id = ?", JSON.stringify(usage), roundId);
      return true;
    },

    /** The lease ends now; the round stays where it is, for the next runner. */
    release(): void {
      sql.exec("UPDATE lease SET expires_at = 0");
    },

    /** The round has ended. */
    remove(roundId: string): void {
      sql.exec("DELETE FROM queue WHERE round_id = ?", roundId);
      sql.exec("UPDATE lease SET round_id = NULL, expires_at = 0 WHERE round_id = ?", roundId);
    },

    markCancelled(roundId: string): boolean {
      return (
        sql.exec("UPDATE queue SET cancelled = 1 WHERE round_id = ? RETURNING 1", roundId).toArray().length >
        0
      );
    },

    /** Forgets all rounds. The fence goes on growing: a runner of the old session can't write into a new one. */
    clear(): void {
      sql.exec("DELETE FROM queue");
      sql.exec("UPDATE lease SET fence = fence + 1, round_id = NULL, expires_at = 0");
    },
  };
}

import { DurableObject } from "cloudflare:workers";
import type { HeldRound, RequestsLeft } from "./quota.ts";

interface Versioned {
  version: 1;
}

const WINDOW_MS = 60_000;

/** One a key, and only where quotas are set: counts its requests and holds the places of its rounds. */
export class QuotaObject extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.sql.exec(
      "CREATE TABLE IF NOT EXISTS requests (one INTEGER PRIMARY KEY CHECK (one = 1), begun INTEGER NOT NULL, count INTEGER NOT NULL)",
    );
    this.sql.exec(
      "CREATE TABLE IF NOT EXISTS rounds (round_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID",
    );
  }

  async takeRequest({ limit }: Versioned & { limit: number }): Promise<RequestsLeft> {
    const now = Date.now();
    const [row] = this.sql
      .exec<{ begun: number; count: number }>("SELECT begun, count FROM requests")
      .toArray();
    const isOver = !row || now - row.begun >= WINDOW_MS;
    const begun = isOver ? now : row.begun;
    const count = (isOver ? 0 : row.count) + 1;
    const allowed = count <= limit;
    if (allowed) this.sql.exec("INSERT OR REPLACE INTO requests VALUES (1, ?, ?)", begun, count);
    return {
      allowed,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil((begun + WINDOW_MS - now) / 1000),
    };
  }

  async beginRound({
    limit,
    round,
    ended,
  }: Versioned & { limit: number; round: HeldRound; ended: string[] }) {
    for (const roundId of ended) this.sql.exec("DELETE FROM rounds WHERE round_id = ?", roundId);
    const held = this.sql
      .exec<{ id: string; roundId: string; since: number }>(
        "SELECT session_id AS id, round_id AS roundId, since FROM rounds",
      )
      .toArray();
    if (held.length >= limit && !held.some(({ roundId }) => roundId === round.roundId)) {
      return { kind: "full", held } as const;
    }
    this.sql.exec("INSERT OR IGNORE INTO rounds VALUES (?, ?, ?)", round.roundId, round.id, round.since);
    return { kind: "begun" } as const;
  }

  async endRound({ roundId }: Versioned & { roundId: string }): Promise<void> {
    this.sql.exec("DELETE FROM rounds WHERE round_id = ?", roundId);
  }
}

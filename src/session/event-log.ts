import type { SessionEvent } from "../events/event.ts";

const KEEP_EVENTS = 1000;
const KEEP_MS = 24 * 3600_000;
/**
 * How many ids a runner may have told that it never stored. The one that takes its round over begins beyond them, so
 * that a listener's last id never names another event than the one it saw.
 */
const TAKEOVER_GAP = 10_000;

/** The session's stored events, for whoever comes late. */
export function createEventLog(sql: DurableObjectStorage["sql"]) {
  sql.exec(`CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, round_id TEXT NOT NULL, post_id TEXT, type TEXT NOT NULL, at INTEGER NOT NULL,
    event TEXT NOT NULL)`);
  sql.exec(
    "CREATE TABLE IF NOT EXISTS event_ids (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL)",
  );
  sql.exec("INSERT OR IGNORE INTO event_ids VALUES (1, 1)");
  const nextId = () => sql.exec<{ next: number }>("SELECT next FROM event_ids").one().next;

  return {
    /** Where a runner begins to count. */
    nextId,

    skipUnstored(): void {
      sql.exec("UPDATE event_ids SET next = next + ?", TAKEOVER_GAP);
    },

    append(events: SessionEvent[], now: number): void {
      for (const event of events) {
        sql.exec(
          "INSERT OR IGNORE INTO events (id, round_id, post_id, type, at, event) VALUES (?, ?, ?, ?, ?, ?)",
          event.id,
          event.round_id,
          event.post_id ?? null,
          event.type,
          now,
          JSON.stringify(event),
        );
      }
      const last = events.at(-1);
      if (last) sql.exec("UPDATE event_ids SET next = max(next, ?)", last.id! + 1);
    },

    after(id: number, limit: number): SessionEvent[] {
      return sql
        .exec<{ event: string }>("SELECT event FROM events WHERE id > ? ORDER BY id LIMIT ?", id, limit)
        .toArray()
        .map(({ event }) => JSON.parse(event) as SessionEvent);
    },

    /** What of a round is stored: that it started, and the Posts whose ends were told. */
    ofRound(roundId: string): { started: boolean; endedPosts: string[] } {
      const rows = sql
        .exec<{ type: string; post_id: string | null }>(
          "SELECT type, post_id FROM events WHERE round_id = ? AND type IN ('round_start', 'post_end')",
          roundId,
        )
        .toArray();
      return {
        started: rows.some(({ type }) => type === "round_start"),
        endedPosts: rows.flatMap(({ type, post_id: postId }) =>
          type === "post_end" && postId ? [postId] : [],
        ),
      };
    },

    /** Whether events after this id are gone already, so that a listener must start from the session as it is. */
    hasForgotten(id: number): boolean {
      const { oldest, forgotten } = sql
        .exec<{ oldest: number | null; forgotten: number }>(
          "SELECT min(id) AS oldest, (SELECT next FROM event_ids) AS forgotten FROM events",
        )
        .one();
      return oldest === null ? id + 1 < forgotten : id + 1 < oldest && oldest > 1;
    },

    /** Lets go of what is both old and far back. */
    trim(now: number): void {
      sql.exec(
        "DELETE FROM events WHERE id < (SELECT next FROM event_ids) - ? AND at < ?",
        KEEP_EVENTS,
        now - KEEP_MS,
      );
    },

    clear(): void {
      sql.exec("DELETE FROM events");
      sql.exec("UPDATE event_ids SET next = 1");
    },
  };
}

import { stateOf, survivesFailure, type Fact, type SharedState } from "../memory/shared-state.ts";
import type { FactsReport, HeldVariables, News } from "./session.ts";

/** As it arrives: a runner of an earlier version says nothing of variables. */
export type ReportedFacts = Omit<FactsReport, "variables"> & Partial<Pick<FactsReport, "variables">>;

/**
 * The session's signals, shared memory, board and variables, held where everybody can ask for them at once. It follows the
 * conversation in the database and equals what replaying that would give.
 */
export function createLiveState(sql: DurableObjectStorage["sql"]) {
  sql.exec(`CREATE TABLE IF NOT EXISTS facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, round_seq INTEGER NOT NULL, seq INTEGER NOT NULL, outside INTEGER NOT NULL,
    fact TEXT NOT NULL)`);
  sql.exec(
    "CREATE TABLE IF NOT EXISTS current_round (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL)",
  );

  sql.exec(`CREATE TABLE IF NOT EXISTS variables (
    one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, held TEXT NOT NULL)`);

  const isSeeded = () => sql.exec("SELECT 1 FROM current_round").toArray().length > 0;
  const facts = () =>
    sql
      .exec<{ fact: string }>("SELECT fact FROM facts ORDER BY id")
      .toArray()
      .map(({ fact }) => JSON.parse(fact) as Fact);
  const roundSeq = () => sql.exec<{ seq: number }>("SELECT seq FROM current_round").toArray()[0]?.seq ?? 0;
  const outsideOf = (fact: Fact) => (fact.kind === "signal" ? (fact.n ?? 0) : 0);

  function add(fact: Fact): void {
    sql.exec(
      "INSERT INTO facts (round_seq, seq, outside, fact) VALUES (?, ?, ?, ?)",
      fact.roundSeq,
      fact.seq,
      outsideOf(fact),
      JSON.stringify(fact),
    );
  }

  /** Whoever comes with older ones than are held has been overtaken. */
  function holdVariables({ version, values }: HeldVariables): void {
    sql.exec(
      `INSERT INTO variables VALUES (1, ?, ?)
        ON CONFLICT (one) DO UPDATE SET version = excluded.version, held = excluded.held
        WHERE excluded.version > version`,
      version,
      JSON.stringify(values),
    );
  }

  function variablesAfter(version: number): HeldVariables | undefined {
    const [row] = sql
      .exec<{ version: number; held: string }>(
        "SELECT version, held FROM variables WHERE version > ?",
        version,
      )
      .toArray();
    return row && { version: row.version, values: JSON.parse(row.held) as Record<string, string> };
  }

  return {
    holdVariables,

    /** Takes a runner's report; gives what came from outside since it looked. */
    report({ roundSeq: seq, replayed, added = [], outsideSeen, variables: known }: ReportedFacts): News {
      if (known) holdVariables(known);
      sql.exec(
        "INSERT INTO current_round VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq",
        seq,
      );
      if (replayed) {
        sql.exec("DELETE FROM facts WHERE outside <= ?", outsideSeen);
        replayed.forEach(add);
      }
      for (const fact of added) {
        // The report of a Post may come twice.
        sql.exec(
          "DELETE FROM facts WHERE round_seq = ? AND seq = ? AND outside = 0",
          fact.roundSeq,
          fact.seq,
        );
      }
      added.forEach(add);
      const newer = known && variablesAfter(known.version);
      return {
        facts: facts().filter((fact) => outsideOf(fact) > outsideSeen),
        ...(newer ? { variables: newer } : {}),
      };
    },

    /** What was set from outside; it is in the database already. */
    addOutside(outside: Fact[]): void {
      for (const fact of outside) {
        sql.exec("DELETE FROM facts WHERE outside = ?", outsideOf(fact));
        add(fact);
      }
    },

    roundFailed(): void {
      const kept = facts().filter((fact) => fact.roundSeq !== roundSeq() || survivesFailure(fact));
      sql.exec("DELETE FROM facts");
      kept.forEach(add);
    },

    /** Undefined when no runner has reported yet, so that only the database knows. */
    state: (): SharedState | undefined => (isSeeded() ? stateOf(facts(), roundSeq()) : undefined),

    clear(): void {
      sql.exec("DELETE FROM facts");
      sql.exec("DELETE FROM current_round");
      sql.exec("DELETE FROM variables");
    },
  };
}

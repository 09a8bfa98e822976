import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { withBatch } from "./with-batch.ts";

/** The same database; what it takes to answer is told to `spend`. */
export function timeD1(database: D1Database, spend: (ms: number) => void): D1Database {
  const batch: D1Database["batch"] = async <Row>(statements: D1PreparedStatement[]) => {
    const started = Date.now();
    try {
      return await database.batch<Row>(statements);
    } finally {
      spend(Date.now() - started);
    }
  };
  return withBatch(database, batch);
}

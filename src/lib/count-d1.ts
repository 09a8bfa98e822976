import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { withBatch } from "./with-batch.ts";

export interface D1Count {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

/**
 * The same database, with every batch counted. Only batches: statements run one by one don't tell what they cost in
 * all their forms, and one batch is one round trip, which is how the stores are meant to ask anyway.
 */
export function countD1(database: D1Database, count: D1Count): D1Database {
  const batch: D1Database["batch"] = async <Row>(statements: D1PreparedStatement[]) => {
    // One that fails was a round trip too.
    count.roundTrips += 1;
    const results = await database.batch<Row>(statements);
    for (const { meta } of results) {
      count.rowsRead += meta.rows_read;
      count.rowsWritten += meta.rows_written;
    }
    return results;
  };
  return withBatch(database, batch);
}

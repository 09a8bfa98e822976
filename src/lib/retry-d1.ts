import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";
import { withBatch } from "./with-batch.ts";

/** What D1 says when its object moved, restarted or lost the line: the batch was applied as a whole, or not at all. */
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "transient issue on remote node",
];

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;

/**
 * The same database, with batches sent again that met a transient error: up to five times within about three seconds.
 * Only for batches that may be applied twice. An overloaded or refusing database isn't asked again.
 */
export function retryD1(
  database: D1Database,
  { wait = defaultWait }: { wait?: (ms: number) => Promise<unknown> } = {},
): D1Database {
  const batch: D1Database["batch"] = async <Row>(statements: D1PreparedStatement[]) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await database.batch<Row>(statements);
      } catch (error) {
        if (attempt === ATTEMPTS || !isTransient(error)) throw error;
        // Between half of the pause and all of it, so that those who failed together don't come again together.
        await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  };
  return withBatch(database, batch);
}

const defaultWait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TRANSIENT.some((text) => error.message.includes(text)) || isTransient(error.cause);
}

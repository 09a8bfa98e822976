import type { D1Database } from "@cloudflare/workers-types";

/** The same database with another way to run batches. */
export function withBatch(database: D1Database, batch: D1Database["batch"]): D1Database {
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "batch") return batch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

import * as z from "zod";
import { defineEdgePlugin } from "../src/plugins/edge-plugin.ts";
import { readOnlyQuery } from "../src/plugins/read-only-query.ts";

const TABLES =
  "select m.name as table_name, group_concat(c.name || ' ' || c.type, ', ') as columns from sqlite_master m" +
  " join pragma_table_info(m.name) c where m.type in ('table', 'view') and m.name not like 'sqlite_%'" +
  " and m.name not like '_cf_%' and m.name <> 'd1_migrations' group by m.name order by m.name";

const settings = z.object({ binding: z.string(), max_rows: z.int().min(1).max(10_000).default(1000) });
const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** As much of a D1Database as is used here. */
interface Database {
  prepare(query: string): Statement;
}
interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results: Record<string, unknown>[] }>;
}

/** Reads a D1 database that is bound to the Worker. Nothing that it is given can write. */
export const plugin = defineEdgePlugin({
  argsSchema: z.object({
    query: z.string().max(50_000).optional(),
    values: z.array(value).max(100).default([]),
  }),
  async call({ query, values }, context) {
    const { binding, max_rows: maxRows } = settings.parse(context.config);
    // The server's own database holds every tenant's conversations.
    if (binding === "DB") throw new Error("the binding DB is the server's own database; bind another one.");
    const database = context.binding<Database>(binding);
    if (query === undefined) return (await database.prepare(TABLES).all()).results;
    const statement = database.prepare(readOnlyQuery(query, maxRows)).bind(...values);
    return (await statement.all()).results;
  },
});

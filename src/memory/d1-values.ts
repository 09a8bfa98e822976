import { sql } from "drizzle-orm";

// What stands in the place of a column in a select that feeds an insert.

export const value = <Value extends string | number>(given: Value, column: string) =>
  sql<Value>`${given}`.as(column);
export const nothing = (column: string) => sql<null>`NULL`.as(column);

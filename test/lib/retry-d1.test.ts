import type { D1Database } from "@cloudflare/workers-types";
import { describe, expect, it } from "vitest";
import { countD1 } from "../../src/lib/count-d1.ts";
import { retryD1 } from "../../src/lib/retry-d1.ts";

type Fate = "answers" | { error: Error; applied: boolean };

const lost = new Error("D1_ERROR: Network connection lost.");

/** A database that knows one thing, writing a row unless it is there, and fails as it is told. */
function failingDatabase(fates: Fate[]) {
  const rows = new Set<string>();
  let calls = 0;
  const batch = async () => {
    const fate = fates[calls++] ?? "answers";
    if (fate === "answers" || fate.applied) rows.add("the row");
    if (fate !== "answers") throw fate.error;
    return [{ results: [...rows], success: true, meta: { rows_read: 1, rows_written: 1 } }];
  };
  const database = { batch, prepare: () => "a statement" } as unknown as D1Database;
  return { database, calls: () => calls };
}

function retried(fates: Fate[]) {
  const failing = failingDatabase(fates);
  const pauses: number[] = [];
  const count = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  const database = retryD1(countD1(failing.database, count), {
    wait: async (ms) => void pauses.push(ms),
  });
  return { database, pauses, count, calls: failing.calls };
}

describe("retryD1", () => {
  it.each([
    "D1_ERROR: Network connection lost.",
    "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
    "D1_ERROR: D1 DB reset because its code was updated.",
    "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
  ])("sends a batch again after: %s", async (message) => {
    const { database, calls } = retried([{ error: new Error(message), applied: false }]);
    expect(await database.batch([])).toMatchObject([{ results: ["the row"] }]);
    expect(calls()).toBe(2);
  });

  it("comes to the same whether the lost attempts were applied or not", async () => {
    const { database, count } = retried([
      { error: lost, applied: true },
      { error: lost, applied: false },
    ]);
    expect(await database.batch([])).toMatchObject([{ results: ["the row"] }]);
    expect(count).toEqual({ roundTrips: 3, rowsRead: 1, rowsWritten: 1 });
  });

  it("gives up after five attempts within about three seconds, with the last error", async () => {
    const { database, pauses, count } = retried(
      Array.from({ length: 9 }, () => ({ error: lost, applied: false })),
    );
    await expect(database.batch([])).rejects.toBe(lost);
    expect(count.roundTrips).toBe(5);
    expect(pauses).toHaveLength(4);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(100 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(200 * 2 ** index);
    }
  });

  it.each([
    "D1_ERROR: UNIQUE constraint failed: sessions.id",
    "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  ])("throws at once: %s", async (message) => {
    const error = new Error(message);
    const { database, calls } = retried([{ error, applied: false }]);
    await expect(database.batch([])).rejects.toBe(error);
    expect(calls()).toBe(1);
  });

  it("knows the error by its cause too, and leaves all but batches as it is", async () => {
    const error = new Error("A query failed.", { cause: lost });
    const { database, calls } = retried([{ error, applied: false }]);
    await database.batch([]);
    expect(calls()).toBe(2);
    expect(database.prepare("SELECT 1")).toBe("a statement");
  });
});

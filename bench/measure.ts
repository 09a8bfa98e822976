import type { Client, Receipt } from "./client.ts";

export interface Row {
  name: string;
  samples: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  /** Without what an empty route took between the same samples. */
  net: number;
  /** How many empty routes it is worth. */
  ratio: number;
  receipt?: {
    roundTrips: number;
    rowsRead: number;
    rowsWritten: number;
    sessionCalls: number;
    promptTokens: number;
  };
  note?: string;
}

export const median = (values: number[]): number => quantile(values, 0.5);

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

export async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

/** Times the work, an empty route before each sample: what disturbs the machine disturbs both. */
export async function measure(
  client: Client,
  name: string,
  samples: number,
  work: (sample: number) => Promise<Receipt | void>,
): Promise<Row> {
  const empty: number[] = [];
  const taken: number[] = [];
  const receipts: Receipt[] = [];
  for (let sample = 0; sample < samples; sample++) {
    empty.push((await timed(() => client.call("/bench/empty"))).ms);
    const { ms, result } = await timed(() => work(sample));
    taken.push(ms);
    if (result) receipts.push(result);
  }
  return toRow(name, taken, median(empty), receipts);
}

export function toRow(name: string, taken: number[], empty: number, receipts: Receipt[]): Row {
  const of = (pick: (receipt: Receipt) => number) => median(receipts.map(pick));
  return {
    name,
    samples: taken.length,
    median: median(taken),
    p95: quantile(taken, 0.95),
    net: median(taken) - empty,
    ratio: median(taken) / empty,
    ...(receipts.length === 0
      ? {}
      : {
          receipt: {
            roundTrips: of(({ d1 }) => d1.round_trips),
            rowsRead: of(({ d1 }) => d1.rows_read),
            rowsWritten: of(({ d1 }) => d1.rows_written),
            sessionCalls: of(({ session_calls: calls }) => calls),
            promptTokens: of(({ prompt_tokens: tokens }) => tokens),
          },
        }),
  };
}

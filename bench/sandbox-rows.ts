import { setTimeout as sleep } from "node:timers/promises";
import { median, timed, toRow, type Row } from "./measure.ts";
import type { SandboxClient } from "./sandbox-client.ts";

/** In which the process for the next context has been started. */
const SPARE_MS = 2000;
const RUNNING_MS = 100;

/** The sandbox server by itself, on its Pyodide engine. The yardstick is its `/health`. */
export async function* takeSandboxRows(client: SandboxClient, scale: number): AsyncGenerator<Row> {
  const empty: number[] = [];
  const row = (name: string, taken: number[], target: number): Row => ({
    ...toRow(name, taken, median(empty), []),
    note: `target ${target} ms`,
  });
  const few = Math.max(3, Math.ceil(scale / 4));
  for (let sample = 0; sample < scale; sample++) empty.push((await timed(client.empty)).ms);

  const warm: number[] = [];
  const cold: number[] = [];
  for (let sample = 0; sample < few; sample++) {
    await sleep(SPARE_MS);
    // The first one takes the process that waits; nothing waits for the second one.
    const [first, second] = [await client.open(), await client.open()];
    warm.push(first.ms);
    cold.push(second.ms);
    for (const { context } of [first, second]) await client.close(context);
  }
  yield row("sandbox: new context, cold", cold, 700);
  yield row("sandbox: new context, warm pool", warm, 100);

  const { context } = await client.open();
  // Its successor in the pool is being started, which nothing here is to pay for.
  await sleep(SPARE_MS);
  for (let sample = 0; sample < 100; sample++) await client.run(context, "1+1");
  const sums: number[] = [];
  for (let sample = 0; sample < scale * 2; sample++) {
    sums.push((await timed(() => client.run(context, "1+1"))).ms);
  }
  yield row("sandbox: 1+1", sums, 5);

  const interrupts: number[] = [];
  for (let sample = 0; sample < few; sample++) {
    const running = client.run(context, "while True: pass", "interrupted");
    await sleep(RUNNING_MS);
    interrupts.push((await timed(() => Promise.all([client.interrupt(context), running]))).ms);
  }
  yield row("sandbox: interrupt to its end", interrupts, 100);

  const resumes: number[] = [];
  await client.run(context, "kept = list(range(1000))");
  for (let sample = 0; sample < few; sample++) {
    await client.suspend(context);
    resumes.push((await timed(() => client.run(context, "kept[-1]"))).ms);
  }
  yield row("sandbox: first code after suspension", resumes, 700);
  await client.close(context);
}

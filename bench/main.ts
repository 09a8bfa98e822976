import { createClient } from "./client.ts";
import type { Row } from "./measure.ts";
import { table, writeResults } from "./report.ts";
import { takeRows } from "./rows.ts";
import { createSandboxClient } from "./sandbox-client.ts";
import { takeSandboxRows } from "./sandbox-rows.ts";
import { startBenchServer } from "./server.ts";

const isQuick = process.argv.includes("--quick");
const isPart = process.argv.includes("--sandbox");
const started = Date.now();
console.log("Starting the Worker, its sandbox and a model that takes no time …");
const server = await startBenchServer();
try {
  const rows: Row[] = [];
  const scale = isQuick ? 6 : 60;
  async function take(some: AsyncGenerator<Row>): Promise<void> {
    for await (const row of some) {
      rows.push(row);
      console.log(`  ${row.name}: ${row.median.toFixed(1)} ms`);
    }
  }
  if (!isPart) await take(takeRows(createClient(server.url), scale));
  await take(takeSandboxRows(createSandboxClient(server.sandbox), scale));
  console.log(`\n${table(rows)}\n`);
  const seconds = Math.round((Date.now() - started) / 1000);
  if (isQuick || isPart) console.log(`${seconds} s. Not the whole bench, so nothing was written down.`);
  else console.log(`${seconds} s. Written to ${writeResults(rows, seconds)}`);
} finally {
  await server.stop();
}

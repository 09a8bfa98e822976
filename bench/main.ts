import { createClient } from "./client.ts";
import type { Row } from "./measure.ts";
import { table, writeResults } from "./report.ts";
import { takeRows } from "./rows.ts";
import { startBenchServer } from "./server.ts";

const isQuick = process.argv.includes("--quick");
const started = Date.now();
console.log("Starting the Worker, its sandbox and a model that takes no time …");
const server = await startBenchServer();
try {
  const rows: Row[] = [];
  for await (const row of takeRows(createClient(server.url), isQuick ? 6 : 60)) {
    rows.push(row);
    console.log(`  ${row.name}: ${row.median.toFixed(1)} ms`);
  }
  console.log(`\n${table(rows)}\n`);
  const seconds = Math.round((Date.now() - started) / 1000);
  if (isQuick) console.log(`${seconds} s. Too few samples to go by, so nothing was written down.`);
  else console.log(`${seconds} s. Written to ${writeResults(rows, seconds)}`);
} finally {
  await server.stop();
}

// The demo model as a process of its own, the way `npm start` runs it when no key is set.
import { startDemoModel } from "./server.ts";

const port = Number(process.env.DEMO_MODEL_PORT ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(
    `DEMO_MODEL_PORT is "${process.env.DEMO_MODEL_PORT}": it takes a port number, or 0 for a free one.`,
  );
  process.exit(2);
}

const model = await startDemoModel({ port });
console.log(`demo model ready ${model.url}`);

async function end() {
  await model.close();
  process.exit(0);
}

process.once("SIGTERM", end);

// Whoever started us holds the other end of stdin: when that process is gone, so are we, even after a SIGKILL.
if (process.env.DEMO_MODEL_LEASH === "stdin") {
  // Ctrl-C reaches the whole process group; it is the launcher's to decide what it ends.
  process.on("SIGINT", () => {});
  process.stdin.once("end", end);
  process.stdin.once("error", end);
  process.stdin.resume();
} else process.once("SIGINT", end);

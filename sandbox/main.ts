import { readSettings } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { startServer } from "./server.ts";

/** The sandbox server as a process: one `sandbox ready` line when it answers, and no process left behind in the end. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const server = await startServer(settings);

  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await server.close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void end());
  process.on("SIGINT", () => void end());
  if (settings.leash) {
    // The launcher holds the other end of stdin; however it ends, the pipe breaks.
    process.stdin.resume();
    process.stdin.on("end", () => void end());
    process.stdin.on("error", () => void end());
  }

  if (settings.tokenGenerated) explainToken(settings);
  console.log(`sandbox ready ${server.url}`);
}

function explainToken({ token }: Settings): void {
  console.log(`No SANDBOX_TOKEN is set, so this one was made for now: ${token}`);
  console.log(`Send it as "Authorization: Bearer ${token}", or start the Worker with SANDBOX_TOKEN=${token}`);
}

await main().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === "EADDRINUSE";
  const hint = "Another sandbox may be running; choose a port with SANDBOX_PORT.";
  console.error(
    taken ? `The sandbox's port is taken (${error.message}). ${hint}` : `sandbox: ${error.message}`,
  );
  process.exit(1);
});

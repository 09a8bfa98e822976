import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { repositoryPath } from "../../dev/content/compile.ts";
import { processTree, until } from "../support/processes.ts";

/** The Worker in its real runtime, which can be killed; it comes back by itself, with what was durable. */
export async function startCrashingServer(vars: Record<string, string>) {
  const harness = createTestHarness({
    root: repositoryPath,
    workers: [{ configPath: join(repositoryPath, "wrangler.toml"), vars }],
  });
  await harness.listen();
  await harness.getWorker().applyD1Migrations("DB");

  /** The runtime that holds the sessions; wrangler runs another one in front of it. */
  function runtime(): number | undefined {
    return processTree(process.pid).find((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).some((fd) => {
          try {
            return readlinkSync(`/proc/${pid}/fd/${fd}`).includes("SessionObject");
          } catch {
            return false;
          }
        });
      } catch {
        return false;
      }
    });
  }

  return {
    fetch: (path: string, init?: RequestInit) =>
      harness.fetch(path, init as never) as unknown as Promise<Response>,
    async kill(): Promise<void> {
      const pid = (await until("the runtime is there", runtime))!;
      process.kill(pid, "SIGKILL");
      await until("it is back", async () => {
        if (runtime() === pid) return false;
        const answer = await Promise.race([
          harness.fetch("/health").then(
            ({ ok }) => ok,
            () => false,
          ),
          new Promise<false>((resolve) => setTimeout(() => resolve(false), 2000)),
        ]);
        return answer;
      });
    },
    close: () => harness.close(),
  };
}

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "./engines.ts";
import { descendants, startSandbox, waitUntil } from "./support.ts";

const CONTEXTS = 200;
/** A heap grows until it is worth tidying up; after as many contexts it has found its size. A start of Pyodide takes the
 *  server longer and gives it more to tidy up meanwhile. */
const WARM_UP = { cpython: 200, pyodide: 250 };
/** What their output alone would add, if it stayed: 40 MB. */
const CHARACTERS = 200_000;
const GROWTH_LIMIT_MB = 30;
/** The heap goes up and down by its own rules: its least of so many contexts is what is held. */
const LOOKS = 30;
/** The shell that ends processes when the server is gone; and Pyodide's that waits for the next context. */
const LEFT = { cpython: 1, pyodide: 2 };

/** What the server itself holds, without its interpreters. */
async function residentMb(pid: number): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) / 1024;
}

forEachEngine((engine) => {
  test(
    "two hundred contexts, one after the other, leave nothing in the server",
    { timeout: 900_000 },
    async () => {
      await using sandbox = await startSandbox({ engine });
      const pid = sandbox.process.pid!;
      const useOne = async () => {
        await using context = await sandbox.context();
        const { stdout } = await context.run(`print('x' * ${CHARACTERS})`);
        expect(stdout).toHaveLength(CHARACTERS + 1);
        return residentMb(pid);
      };
      /** The least that was resident during the last of so many contexts. */
      async function useMany(count: number): Promise<number> {
        const seen: number[] = [];
        for (let used = 0; used < count; used++) seen.push(await useOne());
        return Math.min(...seen.slice(-LOOKS));
      }
      const before = await useMany(WARM_UP[engine]);
      expect((await useMany(CONTEXTS)) - before).toBeLessThan(GROWTH_LIMIT_MB);
      expect(await waitUntil(async () => (await descendants(pid)).length <= LEFT[engine])).toBe(true);
    },
  );
});

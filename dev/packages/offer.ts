import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { fetchPackages } from "../../sandbox/packages/fetch.ts";
import { PackagesError, type LockedPackage } from "../../sandbox/packages/lock.ts";
import { WANTED } from "./places.ts";

const REACH_MS = 2000;

export interface OfferOptions {
  packages: LockedPackage[];
  folder: string;
  url: string;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/**
 * Asks once whether pandas and the like are to be fetched for Pyodide: when somebody is at the terminal, they aren't there
 * and can be had. A "no" is kept beside the folder; nothing else of this ever keeps a start from going on.
 */
export async function offerPackages({ packages, folder, url, input, output }: OfferOptions): Promise<void> {
  const declined = `${folder}.declined`;
  if (!input.isTTY || !output.isTTY || existsSync(declined) || hasPandas(folder)) return;
  if (!(await canReach(new URL(packages[0]!.file_name, url)))) return;
  const questions = createInterface({ input, output });
  // A terminal that closes has said nothing.
  const closed = new Promise<string>((resolve) => questions.once("close", () => resolve("later")));
  const question = `Python has no ${WANTED.join(", ")} yet. Fetch them from ${new URL(url).host} into ${folder}? [Y/n] `;
  const answer = await Promise.race([questions.question(question), closed]);
  questions.close();
  const onLine = (line: string) => void output.write(`${line}\n`);
  if (/^\s*(y|yes|)\s*$/i.test(answer)) {
    try {
      await fetchPackages({ packages, folder, url, onLine });
    } catch (error) {
      if (!(error instanceof PackagesError)) throw error;
      onLine(`${error.message} Going on without them; npm run sandbox:packages tries again.`);
    }
  } else if (answer !== "later") {
    await mkdir(dirname(declined), { recursive: true });
    await writeFile(declined, "npm run sandbox:packages fetches them all the same.\n");
    onLine("Not asked again. npm run sandbox:packages fetches them.");
  }
}

const hasPandas = (folder: string) =>
  existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("pandas-"));

async function canReach(url: URL): Promise<boolean> {
  try {
    return (await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(REACH_MS) })).ok;
  } catch {
    return false; // no network is nothing to speak of
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchPackages } from "../sandbox/packages/fetch.ts";
import { PackagesError, readLock, readPyodideVersion, resolvePackages } from "../sandbox/packages/lock.ts";
import { packagePlaces, WANTED } from "./packages/places.ts";
import { repositoryPath } from "./content/compile.ts";
import { readSettings } from "./stack/settings.ts";

// `npm run sandbox:packages`: brings the wheels of numpy, pandas and matplotlib for Pyodide, or of others by their names.

const { folder, url } = packagePlaces(readSettings([repositoryPath]), readPyodideVersion());
const names = readNames();
try {
  const packages = resolvePackages(readLock(), names);
  console.log(`${packages.length} packages for ${names.join(", ")}\n  from ${url}\n  to   ${folder}`);
  const onLine = (line: string) => console.log(line);
  try {
    const { fetched, bytes } = await fetchPackages({ packages, url, folder, onLine });
    console.log(
      fetched === 0
        ? "All of them were there already."
        : `Fetched ${fetched} of them, ${(bytes / 1e6).toFixed(1)} MB. The sandbox unpacks them at its next start.`,
    );
  } catch (error) {
    if (!(error instanceof PackagesError)) throw error;
    const missing = packages.filter(({ file_name }) => !existsSync(join(folder, file_name)));
    throw new PackagesError(
      `${error.message}\nWhat is complete stays; run this again to go on. Without a way to that address: name a mirror` +
        ` of it with SANDBOX_PACKAGES_URL, or put these files into the folder by hand:\n` +
        missing.map(({ file_name, sha256 }) => `  ${file_name}  sha256 ${sha256}`).join("\n"),
    );
  }
} catch (error) {
  if (!(error instanceof PackagesError)) throw error;
  console.error(error.message);
  process.exit(1);
}

function readNames(): string[] {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    return positionals.length > 0 ? positionals : WANTED;
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run sandbox:packages -- [NAME…]`);
    process.exit(2);
  }
}

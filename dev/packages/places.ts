import { join, resolve } from "node:path";

/** What the packages for Pyodide are, unless others are named. */
export const WANTED = ["numpy", "pandas", "matplotlib"];

/** Where packages go, and where they come from. */
export function packagePlaces(settings: Record<string, string | undefined>, pyodideVersion: string) {
  const stateDir = settings["STATE_DIR"] || ".wrangler/state";
  const given = settings["SANDBOX_PACKAGES_URL"];
  const url = given || `https://cdn.jsdelivr.net/pyodide/v${pyodideVersion}/full/`;
  return {
    folder: resolve(settings["SANDBOX_PACKAGES"] || join(stateDir, "sandbox/packages")),
    url: url.endsWith("/") ? url : `${url}/`,
  };
}

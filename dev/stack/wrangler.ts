import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "smol-toml";
import { repositoryPath } from "../content/compile.ts";
import { startChild, type Child } from "./child.ts";
import { StackError } from "./settings.ts";

const wranglerBin = join(repositoryPath, "node_modules/wrangler/bin/wrangler.js");
const leash = fileURLToPath(new URL("./wrangler-leash.ts", import.meta.url));

/** Wrangler at home: tells nobody, asks nobody, fetches nothing. */
const quietly = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // Each span of each request would be written down by a Worker beside ours: a fifth of all the time there is.
  X_LOCAL_OBSERVABILITY: "false",
  CI: "1",
};

function wranglerEnvironment(): Record<string, string> {
  const own = [
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "NO_COLOR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "SYSTEMROOT",
  ];
  const kept = own.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(kept), ...quietly };
}

/** Brings the local database up to date. */
export async function migrateLocally(stateDir: string): Promise<void> {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  try {
    await promisify(execFile)(process.execPath, [wranglerBin, ...args], {
      env: wranglerEnvironment(),
      cwd: repositoryPath,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new StackError(
      `The local database in ${stateDir} can't be brought up to date:\n${stdout}${stderr}`,
    );
  }
}

/** Has the database do this: the local one of a state directory, or the deployment's. Gives the rows of the last one. */
export async function executeSql(
  sql: string,
  where: { stateDir: string } | "remote",
): Promise<Record<string, unknown>[]> {
  const place = where === "remote" ? ["--remote"] : ["--local", "--persist-to", where.stateDir];
  const args = ["d1", "execute", "DB", ...place, "--json", "--yes", "--command", sql];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [wranglerBin, ...args], {
      env: { ...wranglerEnvironment(), ...(where === "remote" ? credentials() : {}) },
      cwd: repositoryPath,
      maxBuffer: 64 * 1024 * 1024,
    });
    const results = JSON.parse(stdout) as { results: Record<string, unknown>[] }[];
    return results.at(-1)?.results ?? [];
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new StackError(`The database can't be asked:\n${stdout}${stderr}`.trim());
  }
}

/** What a remote call logs in with, where it isn't by `wrangler login`. */
function credentials(): Record<string, string> {
  const names = ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Runs the Worker; resolves when it answers. */
export async function startWorker(options: {
  port: number;
  stateDir: string;
  /** Another entry than the deployment's. */
  main?: string;
  contentModule: string;
  variables: Record<string, string>;
  onLine: (line: string) => void;
}): Promise<Child> {
  const { port, stateDir } = options;
  const variablesFile = join(stateDir, "local-variables");
  mkdirSync(stateDir, { recursive: true });
  // Secrets go by a file of ours alone: arguments are for everybody on the machine to read.
  writeFileSync(variablesFile, Object.entries(options.variables).map(quoteVariable).join(""), {
    mode: 0o600,
  });
  chmodSync(variablesFile, 0o600);
  const config = writeLocalConfig(options);
  const args = ["dev", "--config", config, "--ip", "127.0.0.1", "--port", String(port)];
  args.push("--inspector-port", "0", "--persist-to", stateDir, "--env-file", variablesFile);
  args.push("--show-interactive-dev-session=false");
  return startChild({
    name: "Worker (wrangler dev)",
    args: [leash, wranglerBin, ...args],
    env: wranglerEnvironment(),
    onLine: (line) => {
      if (!line.includes("GET /health ")) options.onLine(line.replace(/^\[wrangler:info\] /, ""));
    },
    ready: { answers: (signal) => untilHealthy(`http://127.0.0.1:${port}/health`, signal) },
  });
}

/** The deployment's configuration, with the content that is served here in the place of the repository's own. */
function writeLocalConfig(options: { stateDir: string; contentModule: string; main?: string }): string {
  const { stateDir, contentModule } = options;
  const config = parse(readFileSync(join(repositoryPath, "wrangler.toml"), "utf8"));
  const path = join(stateDir, "wrangler.json");
  // It lies elsewhere, so its paths are made whole.
  const main = options.main ?? join(repositoryPath, String(config.main));
  writeFileSync(path, JSON.stringify({ ...config, main, alias: { "#content": contentModule } }, null, 2));
  return path;
}

async function untilHealthy(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]) });
      if (response.ok) return;
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A line of the variables file, with what its reader would expand or end at kept from it. */
function quoteVariable([name, value]: [string, string]): string {
  const quote = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  if (!quote) throw new StackError(`${name} holds all three kinds of quotes; that can't be handed on.`);
  return `${name}=${quote}${value.replaceAll("$", String.raw`\$`)}${quote}\n`;
}

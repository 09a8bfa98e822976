import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";

export interface Settings {
  host: string;
  port: number;
  token: string;
  /** Whether the token was made here, because none was given. */
  tokenGenerated: boolean;
  folder: string;
  maxContexts: number;
  memoryMb: number;
  idleMs: number;
  /** How long a soft interrupt may take before the interpreter is killed. */
  graceMs: number;
  /** The engine of contexts that don't ask for one. */
  engine: "pyodide" | "cpython";
  /** Where the wheels lie that Pyodide may load. */
  packages: string;
  /** What an engine of the system's Python is made of. */
  cpython: { python: string; bwrap: string; jail: "bwrap" | "none" };
  /** What one context's files may take. */
  disk: { megabytes: number; files: number };
  leash: boolean;
}

/** The server's settings from the environment; the only place that reads it. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = env["SANDBOX_TOKEN"];
  const folder = resolve(join(env["STATE_DIR"] || ".wrangler/state", "sandbox"));
  return {
    host: env["SANDBOX_HOST"] || "127.0.0.1",
    port: number(env, "SANDBOX_PORT", 8788, 0, 65535),
    token: given || randomBytes(24).toString("base64url"),
    tokenGenerated: !given,
    folder,
    packages: resolve(env["SANDBOX_PACKAGES"] || join(folder, "packages")),
    maxContexts: number(env, "SANDBOX_MAX_CONTEXTS", 8, 1, 1000),
    memoryMb: number(env, "SANDBOX_MEMORY_MB", 256, 64, 2048),
    idleMs: number(env, "SANDBOX_IDLE_SECONDS", 900, 1, 86_400) * 1000,
    graceMs: number(env, "SANDBOX_GRACE_MS", 5000, 100, 60_000),
    engine: choice(env, "SANDBOX_ENGINE", ["pyodide", "cpython"]),
    cpython: {
      python: env["SANDBOX_PYTHON"] || "/usr/bin/python3",
      bwrap: env["SANDBOX_BWRAP"] || "/usr/bin/bwrap",
      jail: choice(env, "SANDBOX_JAIL", ["bwrap", "none"]),
    },
    disk: {
      megabytes: number(env, "SANDBOX_DISK_MB", 512, 1, 1_000_000),
      files: number(env, "SANDBOX_MAX_FILES", 10_000, 10, 1_000_000),
    },
    leash: env["SANDBOX_LEASH"] === "stdin",
  };
}

function number(
  env: Record<string, string | undefined>,
  name: string,
  fallback: number,
  min: number,
  max: number,
) {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} is a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

/** The first one when nothing is said. */
function choice<const Choice extends string>(
  env: Record<string, string | undefined>,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const text = env[name] || choices[0];
  const chosen = choices.find((each) => each === text);
  if (!chosen) throw new Error(`${name} is ${choices.join(" or ")}, not "${text}".`);
  return chosen;
}

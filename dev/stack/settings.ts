import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** What a local start goes by: the environment, and behind it the `.dev.vars` of the server and of the project. */
export function readSettings(folders: string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const folder of folders) {
    const path = join(folder, ".dev.vars");
    if (existsSync(path)) Object.assign(settings, parseEnv(readFileSync(path, "utf8")));
  }
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && value !== "") settings[name] = value;
  }
  return settings;
}

/** A port from the settings. @throws StackError that names the setting. */
export function readPort(settings: Record<string, string>, name: string, fallback: number): number {
  const text = settings[name];
  if (text === undefined) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new StackError(
      `${name} is "${text}", but must be a port: a number from 0 (any free one) to 65535.`,
    );
  }
  return port;
}

/** Why the local stack can't start, or can't go on, in words for the terminal. */
export class StackError extends Error {}

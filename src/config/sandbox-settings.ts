import { ConfigError } from "./environment.ts";
import { fetchByBinding, type SandboxFetch } from "../sandbox/bound-fetch.ts";

export interface SandboxSettings {
  driver: string;
  url: string;
  token: string;
  /** The way to it, when a binding leads there. */
  fetch?: SandboxFetch | undefined;
}

/** For the host of requests that a binding takes. */
const BOUND_URL = "http://sandbox";
const MAXIMUM_CONTAINERS = 1000;

/**
 * Where code runs: at an address, or behind the binding SANDBOX. Undefined where neither is set. An address goes first, so
 * that a local start has its own sandbox. @throws ConfigError
 */
export function sandboxSettings(
  variables: Partial<Record<`SANDBOX_${"URL" | "TOKEN" | "DRIVER" | "CONTAINERS"}`, string | undefined>>,
  binding: unknown,
): SandboxSettings | undefined {
  const driver = variables.SANDBOX_DRIVER ?? "http";
  const token = variables.SANDBOX_TOKEN ?? "";
  if (variables.SANDBOX_URL) return { driver, url: variables.SANDBOX_URL, token };
  const given = variables.SANDBOX_CONTAINERS ?? "1";
  const containers = Number(given);
  if (!Number.isInteger(containers) || containers < 1 || containers > MAXIMUM_CONTAINERS) {
    throw new ConfigError(
      `SANDBOX_CONTAINERS is "${given}", but must be a whole number from 1 to ${MAXIMUM_CONTAINERS}.`,
    );
  }
  const fetch = fetchByBinding(binding, containers);
  if (!fetch) return undefined;
  if (driver !== "http") {
    throw new ConfigError(
      `SANDBOX_DRIVER is "${driver}", which needs SANDBOX_URL: the binding SANDBOX speaks http only.`,
    );
  }
  return { driver, url: BOUND_URL, token, fetch };
}

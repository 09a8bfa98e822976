import type * as z from "zod";
import { environmentName } from "./secrets.ts";

/** The deployment can't work as it is set; the message names the setting and what it may be. */
export class ConfigError extends Error {
  readonly code = "misconfigured";
}

/** A variable of the environment; one that is set to nothing is not set. */
export function textOf(env: object, name: string): string | undefined {
  const found: unknown = Reflect.get(env, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Environment values are text: numbers, booleans and lists (also comma separated) are read out of it. */
export function fromText(schema: z.ZodType, text: string, key: string): unknown {
  const readings: (() => unknown)[] = [
    () => text,
    () => JSON.parse(text),
    () => text.split(",").map((part) => part.trim()),
  ];
  for (const read of readings) {
    try {
      const parsed = schema.safeParse(read());
      if (parsed.success) return parsed.data;
    } catch {
      // Not JSON: the next reading may fit.
    }
  }
  throw new ConfigError(
    `The environment variable ${environmentName(key)} does not fit ${key}: "${text.slice(0, 100)}".`,
  );
}

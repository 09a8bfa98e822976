import * as z from "zod";
import type { PluginSpec } from "../../plugins/plugin.ts";

export interface PluginCall {
  name: string;
  arguments: Record<string, unknown>;
}

export type ReadCalls = { ok: true; calls: PluginCall[] } | { ok: false; error: string };

const argumentsOf = z.union([
  z.record(z.string(), z.unknown()),
  // As on the wire of function calls: an object as JSON text, since its keys are the plugin's.
  z.string().transform((text, context) => {
    try {
      const parsed: unknown = JSON.parse(text.trim() || "{}");
      if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
        return parsed as Record<string, unknown>;
      }
    } catch {
      // It is said below.
    }
    context.addIssue({ code: "custom", message: "must be a JSON object" });
    return z.NEVER;
  }),
]);
const callList = z.array(z.object({ name: z.string(), arguments: argumentsOf.default({}) }));

/** The calls that a model asked for, each of a plugin that there is, with arguments that it takes. */
export function readCalls(text: string, plugins: PluginSpec[]): ReadCalls {
  let json: unknown;
  try {
    json = text.trim() === "" ? [] : JSON.parse(text);
  } catch {
    return { ok: false, error: '"function" is not a JSON list of calls.' };
  }
  const parsed = callList.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      ok: false,
      error: `"function" is wrong at ${issue!.path.join(".") || "its top"}: ${issue!.message}.`,
    };
  }
  for (const call of parsed.data) {
    const error = wrongCall(call, plugins);
    if (error) return { ok: false, error };
  }
  return { ok: true, calls: parsed.data };
}

function wrongCall(call: PluginCall, plugins: PluginSpec[]): string | undefined {
  const plugin = plugins.find(({ name }) => name === call.name);
  if (!plugin) {
    return `There is no function "${call.name}". There are: ${plugins.map(({ name }) => name).join(", ")}.`;
  }
  const known = plugin.parameters.map(({ name }) => name);
  const unknown = Object.keys(call.arguments).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `${call.name} takes no argument "${unknown}". It takes: ${known.join(", ") || "none"}.`;
  }
  const missing = plugin.parameters.find(
    ({ name, required }) => required && !Object.hasOwn(call.arguments, name),
  );
  return missing && `${call.name} needs the argument "${missing.name}".`;
}

/**
 * The calls as Python: `r1 = name(**{…})` each, numbered on from what the session has, and their results as the value. An
 * argument that is `$r1` is the result of that number.
 */
export function callsToPython(calls: PluginCall[], before: number): { code: string; results: string[] } {
  const results = calls.map((_call, index) => `r${before + index + 1}`);
  const lines = calls.map(({ name, arguments: given }, index) => {
    const known = Array.from({ length: before + index }, (_result, number) => `r${number + 1}`);
    return `${results[index]} = ${name}(**${toPython(given, known)})`;
  });
  return { code: [...lines, results.join(", ")].join("\n"), results };
}

function toPython(value: unknown, results: string[]): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") {
    const reference = value.startsWith("$") ? value.slice(1) : "";
    return results.includes(reference) ? reference : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => toPython(item, results)).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${toPython(item, results)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  return String(value);
}

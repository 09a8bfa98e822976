import { environmentName } from "../config/secrets.ts";
import type { CallAnswer, OutsideCall } from "../sandbox/sandbox.ts";
import type { EdgePlugin } from "./edge-plugin.ts";
import type { Plugin } from "./plugin.ts";

/** More than an answer may have would not fit what the session keeps of it, nor a model's patience. */
const MAXIMUM_ANSWER = 1_000_000;
const DEFAULT_TIMEOUT_SECONDS = 30;

export type EdgeCaller = (
  call: OutsideCall,
  context: {
    session: { id: string; variables: Record<string, string> };
    callId: string;
    signal: AbortSignal;
  },
) => Promise<CallAnswer>;

/** Carries out what Python asks of edge plugins. Whatever goes wrong is an answer. */
export function createEdgeCaller(options: {
  plugins: Plugin[];
  edgePlugins: Record<string, EdgePlugin>;
  env: object;
}): EdgeCaller {
  const { edgePlugins, env } = options;
  const specs = new Map(options.plugins.map(({ spec }) => [spec.name, spec]));

  return async (call, { session, callId, signal }) => {
    const spec = specs.get(call.name);
    const plugin = Object.hasOwn(edgePlugins, call.name) ? edgePlugins[call.name] : undefined;
    if (!spec || !plugin) return failure("EdgePluginError", "there is no such plugin");
    const names = spec.parameters.map(({ name }) => name);
    const given = namedArguments(call, names);
    if ("error" in given) return given;
    const missing = spec.parameters.find(({ name, required }) => required && given.args[name] === undefined);
    if (missing) return failure("TypeError", `the argument ${missing.name} is missing`);
    const checked = plugin.argsSchema?.safeParse(given.args);
    if (checked && !checked.success) {
      const issues = checked.error.issues.map(
        ({ path, message }) => `${path.join(".") || "arguments"}: ${message}`,
      );
      return failure("ValueError", issues.join("; "));
    }
    const seconds = Number(spec.configurations["timeout_seconds"] ?? DEFAULT_TIMEOUT_SECONDS);
    const late = new Promise<CallAnswer>((resolve) =>
      setTimeout(
        () => resolve(failure("TimeoutError", `no answer within ${seconds} seconds`)),
        seconds * 1000,
      ),
    );
    const context = {
      config: spec.configurations,
      session,
      callId,
      signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
      binding: <Binding>(name: string) => bindingOf<Binding>(env, name),
      secret: (name: string) => secretOf(env, spec.name, name),
    };
    return Promise.race([answerOf(plugin, checked ? checked.data : given.args, context), late]);
  };
}

async function answerOf(
  plugin: EdgePlugin,
  args: unknown,
  context: Parameters<EdgePlugin["call"]>[1],
): Promise<CallAnswer> {
  try {
    const value = (await plugin.call(args, context)) ?? null;
    const size = JSON.stringify(value).length;
    if (size <= MAXIMUM_ANSWER) return { value };
    return failure(
      "ValueError",
      `the answer has ${size} characters, ${MAXIMUM_ANSWER} at most: ask for less`,
    );
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return failure(name === "Error" ? "EdgePluginError" : name, message);
  }
}

/** Python's positional and keyword arguments by the names of the YAML. */
function namedArguments(
  { args, kwargs }: OutsideCall,
  names: string[],
): { args: Record<string, unknown> } | { error: { name: string; message: string } } {
  if (args.length > names.length) {
    return failure("TypeError", `takes ${names.length} arguments, not ${args.length}`);
  }
  const unknown = Object.keys(kwargs).find((name) => !names.includes(name));
  if (unknown !== undefined)
    return failure("TypeError", `has no argument ${unknown}; it has ${names.join(", ")}`);
  const positional = args.map((value, index) => [names[index]!, value] as const);
  const twice = positional.find(([name]) => Object.hasOwn(kwargs, name));
  if (twice) return failure("TypeError", `the argument ${twice[0]} is given twice`);
  // None is Python's way to leave an argument out.
  const all = [...positional, ...Object.entries(kwargs)].filter(([, value]) => value !== null);
  return { args: Object.fromEntries(all) };
}

function failure(name: string, message: string) {
  return { error: { name, message } };
}

function bindingOf<Binding>(env: object, name: string): Binding {
  const found: unknown = Reflect.get(env, name);
  if (typeof found === "object" && found !== null) return found as Binding;
  throw new Error(`the Worker has no binding ${name}. Add it to wrangler.toml and deploy again.`);
}

function secretOf(env: object, plugin: string, name: string): string {
  const variable = environmentName(`PLUGIN_${plugin}_${name}`);
  const found: unknown = Reflect.get(env, variable);
  if (typeof found === "string" && found !== "") return found;
  throw new Error(`${variable} is not set. Set it: npx wrangler secret put ${variable}`);
}

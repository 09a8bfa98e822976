import type * as z from "zod";

/** What an edge plugin is handed for one call. */
export interface EdgeContext {
  /** `configurations` of its YAML. */
  config: Record<string, unknown>;
  session: { id: string; variables: Record<string, string> };
  /** The same when a call is made once more because its runner was lost: for what must not happen twice. */
  callId: string;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** A binding of the Worker: a database, a bucket, a queue. @throws Error that says how to add it. */
  binding<Binding>(name: string): Binding;
  /** The secret `PLUGIN_<NAME OF THE PLUGIN>_<NAME>`. @throws Error that says how to set it. */
  secret(name: string): string;
}

/** A plugin that runs in the Worker, where its keys and bindings stay, and that Python calls as a function. */
export interface EdgePlugin<Schema extends z.ZodType = z.ZodType> {
  /** What the arguments must be, by their names in the YAML; what doesn't fit is a ValueError in Python. */
  argsSchema?: Schema;
  /** Gives a JSON value; an error that it throws is raised in Python, with its message. */
  call(args: z.infer<Schema>, context: EdgeContext): Promise<unknown>;
}

/**
 * Declares a plugin that runs in the Worker.
 *
 * @example
 * export const plugin = defineEdgePlugin({
 *   argsSchema: z.object({ city: z.string() }),
 *   call: async ({ city }, context) => context.binding<KVNamespace>("WEATHER").get(city),
 * });
 */
export function defineEdgePlugin<Schema extends z.ZodType<Record<string, unknown>>>(
  plugin: EdgePlugin<Schema>,
): EdgePlugin {
  // A plugin is only ever handed what its own schema made.
  return plugin as unknown as EdgePlugin;
}

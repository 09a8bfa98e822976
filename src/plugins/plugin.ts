import * as z from "zod";

const parameter = z.object({
  name: z.string().min(1),
  type: z
    .string()
    .nullish()
    .transform((type) => type ?? "Any"),
  description: z.string(),
  required: z
    .boolean()
    .nullish()
    .transform((required) => required ?? false),
});

/** A plugin's YAML, in TaskWeaver's format. */
export const pluginSpec = z.object({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a Python name, since the plugin is called by it"),
  description: z.string(),
  parameters: z
    .array(parameter)
    .nullish()
    .transform((parameters) => parameters ?? []),
  returns: z
    .array(parameter)
    .nullish()
    .transform((returns) => returns ?? []),
  examples: z
    .string()
    .nullish()
    .transform((examples) => examples ?? ""),
  code: z.string().nullish(),
  configurations: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((configurations) => configurations ?? {}),
  enabled: z
    .boolean()
    .nullish()
    .transform((enabled) => enabled ?? true),
  required: z
    .boolean()
    .nullish()
    .transform((required) => required ?? false),
  /** Names of the variables that it reads by `get_env`; their values are secrets of the deployment. */
  environment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name"))
    .nullish()
    .transform((environment) => environment ?? []),
  plugin_only: z
    .boolean()
    .nullish()
    .transform((pluginOnly) => pluginOnly ?? false),
});

export type PluginSpec = z.infer<typeof pluginSpec>;

/** A plugin of the project, with the Python that implements it. */
export interface Plugin {
  spec: PluginSpec;
  source: string;
  /** Of source and configuration. */
  hash: string;
  /** Configuration keys whose values are secrets: taken from the environment, `PLUGIN_<NAME>_<KEY>`. */
  secretKeys: string[];
  /** It is implemented in the Worker, and its source only calls that. */
  edge?: boolean;
  /** What its `get_env` finds: the variables that its YAML names, from secrets `PLUGIN_<NAME>_<VARIABLE>`. */
  environment?: Record<string, string>;
}

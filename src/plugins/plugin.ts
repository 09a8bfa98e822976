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
}

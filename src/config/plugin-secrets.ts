import type { Plugin } from "../plugins/plugin.ts";
import { textOf } from "./environment.ts";
import { environmentName } from "./secrets.ts";

/** A plugin's secret configuration comes from `PLUGIN_<NAME>_<KEY>`, never from the compiled project. */
export function withSecrets(plugin: Plugin, env: object): Plugin {
  const { spec, secretKeys } = plugin;
  const secrets = secretKeys.flatMap((key) => {
    const secret = textOf(env, environmentName(`PLUGIN_${spec.name}_${key}`));
    return secret === undefined ? [] : [[key, secret]];
  });
  const configurations = { ...spec.configurations, ...Object.fromEntries(secrets) };
  const variables = spec.environment.flatMap((name) => {
    const variable = `PLUGIN_${spec.name}_${name}`;
    const text = textOf(env, variable) ?? textOf(env, environmentName(variable));
    return text === undefined ? [] : [[name, text]];
  });
  // An interpreter takes the plugin up anew when a secret has changed.
  const hash = [plugin.hash, shortDigest(JSON.stringify([secrets, variables]))].join("-");
  return {
    ...plugin,
    spec: { ...spec, configurations },
    ...(secrets.length + variables.length > 0 ? { hash } : {}),
    ...(variables.length > 0 ? { environment: Object.fromEntries(variables) } : {}),
  };
}

/** An edge plugin whose `configurations.binding` the deployment lacks is not offered. */
export function hasItsBinding({ edge, spec }: Plugin, env: object): boolean {
  const { binding } = spec.configurations;
  return !edge || typeof binding !== "string" || typeof Reflect.get(env, binding) === "object";
}

/** Tells texts apart, nothing more (FNV-1a). */
function shortDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

import type { Plugin } from "./plugin.ts";

/** Which plugins could be loaded, as far as this isolate has seen: it depends on a plugin's code and the sandbox alone. */
export interface PluginHealth {
  /** Whether it is known of each of them. */
  knowsAll(plugins: Plugin[]): boolean;
  isBroken(plugin: Plugin): boolean;
  learn(plugins: Plugin[], reports: { name: string; ok: boolean }[]): void;
}

export function createPluginHealth(): PluginHealth {
  const known = new Map<string, boolean>();
  const keyOf = ({ spec, hash }: Plugin) => `${spec.name}\n${hash}`;
  return {
    knowsAll: (plugins) => plugins.every((plugin) => known.has(keyOf(plugin))),
    isBroken: (plugin) => known.get(keyOf(plugin)) === false,
    learn(plugins, reports) {
      for (const plugin of plugins) {
        const report = reports.find(({ name }) => name === plugin.spec.name);
        if (report) known.set(keyOf(plugin), report.ok);
      }
    },
  };
}

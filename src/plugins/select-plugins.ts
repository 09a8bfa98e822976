import type { PluginSpec } from "./plugin.ts";

/** Names of plugins, nearest to the query first. */
export type PluginRanking = (query: string, plugins: PluginSpec[]) => Promise<string[]>;

/**
 * The plugins that a role is shown, in their order: all, or those nearest to the query together with those that code of
 * this session has called already, whose names are therefore known to the model.
 */
export async function selectPlugins(options: {
  plugins: PluginSpec[];
  usedCode: string[];
  rank: PluginRanking;
  selection: { query: string; topK: number } | undefined;
}): Promise<PluginSpec[]> {
  const { plugins, usedCode, selection } = options;
  if (!selection || plugins.length <= selection.topK) return plugins;
  const nearest = (await options.rank(selection.query, plugins)).slice(0, selection.topK);
  const isUsed = (name: string) => usedCode.some((code) => callOf(name).test(code));
  return plugins.filter(({ name }) => nearest.includes(name) || isUsed(name));
}

/** The name as a whole: `load` is not used by code that calls `load_all`. */
const callOf = (name: string) => new RegExp(`(?<![\\w])${name}(?![\\w])`);

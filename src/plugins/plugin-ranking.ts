import { EmbeddingError, type Embedder, type Embedders } from "../embeddings/embedder.ts";
import { cosine } from "../embeddings/vector.ts";
import type { PluginSpec } from "./plugin.ts";
import type { PluginRanking } from "./select-plugins.ts";

/**
 * Ranks plugins by how near their name and description are to a query. Their vectors are made when they are first wanted
 * and kept for as long as the isolate lives: plugins are few, and change only with the Worker.
 */
export function createPluginRanking({ current, lexical }: Embedders): PluginRanking {
  const kept = new Map<string, Float32Array>();

  async function rank(embedder: Embedder, query: string, plugins: PluginSpec[]): Promise<string[]> {
    const textOf = ({ name, description }: PluginSpec) => `${name}: ${description}`;
    const keyOf = (plugin: PluginSpec) => `${embedder.model}\n${textOf(plugin)}`;
    const unknown = plugins.filter((plugin) => !kept.has(keyOf(plugin)));
    const [ofQuery, ...others] = await embedder.embed([query, ...unknown.map(textOf)]);
    for (const [index, plugin] of unknown.entries()) kept.set(keyOf(plugin), others[index]!);
    const nearness = (plugin: PluginSpec) => cosine(ofQuery!, kept.get(keyOf(plugin))!);
    return plugins.toSorted((left, right) => nearness(right) - nearness(left)).map(({ name }) => name);
  }

  return async (query, plugins) => {
    try {
      return await rank(current, query, plugins);
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      console.warn(`Plugins are compared by their words: ${error.message}`);
      return rank(lexical, query, plugins);
    }
  };
}

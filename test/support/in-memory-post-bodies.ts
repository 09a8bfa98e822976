import type { PostBodies } from "../../src/memory/large-posts.ts";

export function inMemoryPostBodies(): PostBodies & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const key = (ref: { tenant: string; id: string }, name: string) => `${ref.tenant}/${ref.id}/${name}`;
  return {
    kept,
    put: async (ref, name, body) => void kept.set(key(ref, name), body),
    get: async (ref, name) => kept.get(key(ref, name)),
  };
}

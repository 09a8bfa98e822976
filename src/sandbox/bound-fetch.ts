/** As much of `fetch` as drivers use. */
export type SandboxFetch = (url: string, init?: RequestInit) => Promise<Response>;

interface Fetches {
  fetch: SandboxFetch;
}
interface Containers {
  getByName(name: string): Fetches;
}

/**
 * The way to sandboxes behind a binding: a service, or a namespace of objects that have a container each. Contexts are
 * spread over so many of those, and each stays with its own. Undefined for what is no such binding.
 */
export function fetchByBinding(binding: unknown, containers: number): SandboxFetch | undefined {
  if (typeof binding !== "object" || binding === null) return undefined;
  if ("getByName" in binding) {
    return (url, init) =>
      (binding as Containers).getByName(`sandbox-${placeOf(url, containers)}`).fetch(url, init);
  }
  return "fetch" in binding ? (url, init) => (binding as Fetches).fetch(url, init) : undefined;
}

/** Of the context that a request is about; what is about none goes to the first one. */
function placeOf(url: string, containers: number): number {
  const [, context] = /\/v1\/contexts\/([^/?]+)/.exec(url) ?? [];
  let hash = 0;
  for (const character of context ?? "") hash = (hash * 31 + character.codePointAt(0)!) % 0x7fffffff;
  return hash % containers;
}

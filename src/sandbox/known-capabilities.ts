import type { Sandbox, SandboxCapabilities } from "./sandbox.ts";

const KEPT_MS = 10 * 60_000;

/** What the sandbox can do, asked of it once in a while; undefined when it can't be asked. */
export function knownCapabilities(sandbox: Sandbox): () => Promise<SandboxCapabilities | undefined> {
  let kept: { at: number; capabilities: SandboxCapabilities } | undefined;
  return async () => {
    if (kept && Date.now() - kept.at < KEPT_MS) return kept.capabilities;
    try {
      kept = { at: Date.now(), capabilities: await sandbox.capabilities() };
    } catch {
      // It is told of when code is to run. What was known of it is better than nothing.
    }
    return kept?.capabilities;
  };
}

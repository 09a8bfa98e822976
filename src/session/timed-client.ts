import type { SessionClient } from "./session.ts";

/** Calls that wait for something to happen: their time is nobody's work. */
const WAITING = new Set<keyof SessionClient>(["begin", "untilCancelled", "eventsAfter", "watch"]);

/** The same client; what the session's object takes to answer is told to `spend`. */
export function timeSessionClient(client: SessionClient, spend: (ms: number) => void): SessionClient {
  const timed = Object.entries(client).map(([name, method]) => {
    if (WAITING.has(name as keyof SessionClient)) return [name, method] as const;
    const call = async (...given: unknown[]) => {
      const started = Date.now();
      try {
        return await (method as (...all: unknown[]) => Promise<unknown>)(...given);
      } finally {
        spend(Date.now() - started);
      }
    };
    return [name, call] as const;
  });
  return Object.fromEntries(timed) as unknown as SessionClient;
}

import type { SessionRef } from "../memory/session.ts";
import type { SessionClient } from "./session.ts";
import type { SessionObject } from "./session-object.ts";

const version = 1;

/** Talks to the session's object; `onCall` counts the calls. */
export function createSessionClient(
  namespace: DurableObjectNamespace<SessionObject>,
  ref: SessionRef,
  onCall: () => void,
): SessionClient {
  // Both parts come from outside: encoded, no pair of them can name another tenant's object.
  const object = namespace.getByName(`${encodeURIComponent(ref.tenant)}/${encodeURIComponent(ref.id)}`);

  return {
    async begin({ roundId, reject, onQueued }) {
      const started = Date.now();
      for (;;) {
        onCall();
        const reply = await object.begin({ version, roundId });
        if (reply.granted) {
          const { fence, nextEventId } = reply;
          const checkpoints = Object.entries(reply.checkpoints).map(([key, json]) => [key, JSON.parse(json)]);
          return {
            fence,
            nextEventId,
            checkpoints: Object.fromEntries(checkpoints),
            queueMs: Date.now() - started,
          };
        }
        if (reject) return undefined;
        onQueued?.(reply.position);
        onCall();
        await object.waitInLine({ version, roundId });
      }
    },
    async commit(call) {
      onCall();
      await object.commit({ version, ...call });
    },
    async checkpoint({ fence, key, value }) {
      onCall();
      await object.checkpoint({ version, fence, key, value: JSON.stringify(value) });
    },
    async end(call) {
      onCall();
      await object.end({ version, ...call });
    },
    async destroy() {
      onCall();
      await object.destroy({ version });
    },
  };
}

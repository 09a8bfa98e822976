import type { SessionEvent } from "../events/event.ts";
import type { SessionRef } from "../memory/session.ts";
import type { SharedState } from "../memory/shared-state.ts";
import { StaleRunnerError } from "../memory/store.ts";
import type { Commit, Lease, News, SessionClient } from "./session.ts";
import type { SessionObject } from "./session-object.ts";

const version = 1 as const;

/** Talks to the session's object; `onCall` counts the calls. */
export function createSessionClient(
  namespace: DurableObjectNamespace<SessionObject>,
  ref: SessionRef,
  onCall: () => void,
): SessionClient {
  // Both parts come from outside: encoded, no pair of them can name another tenant's object.
  const name = `${encodeURIComponent(ref.tenant)}/${encodeURIComponent(ref.id)}`;
  /** A new stub for each call: one that has seen its object fail goes on failing. */
  const object = () => {
    onCall();
    return namespace.getByName(name);
  };

  async function held(fence: number, call: Promise<boolean>): Promise<void> {
    if (!(await call)) throw new StaleRunnerError(ref.id, fence);
  }

  return {
    async begin({ request, leaseMs, rejectIfBusy = false, onQueued }) {
      for (let again = false; ; again = true) {
        const reply = await object().begin({
          version,
          request,
          leaseMs,
          rejectIfBusy: rejectIfBusy && !again,
          again,
        });
        switch (reply.kind) {
          case "granted":
            return { kind: "granted", lease: JSON.parse(reply.lease) as Lease };
          case "busy":
          case "elsewhere":
            return { kind: reply.kind };
          case "queued":
            onQueued?.(reply.position);
            await object().waitInLine({ version, roundId: request.roundId });
        }
      }
    },
    async enqueue(call) {
      await object().enqueue({ version, ...call });
    },
    async commit(call) {
      const news = await object().commit(commitCall(call));
      if (news === null) throw new StaleRunnerError(ref.id, call.fence);
      const parsed = JSON.parse(news) as News | News["facts"];
      // An object of an earlier version knows of facts only.
      return Array.isArray(parsed) ? { facts: parsed } : parsed;
    },
    renew: ({ fence }) => held(fence, object().renew({ version, fence })),
    release: (call) => held(call.fence, object().release(commitCall(call))),
    checkpoint: ({ fence, key, value }) =>
      held(fence, object().checkpoint({ version, fence, key, value: JSON.stringify(value) })),
    end: ({ fence, events, facts, failed }) =>
      held(
        fence,
        object().end({
          version,
          fence,
          events: JSON.stringify(events),
          facts: facts ? JSON.stringify(facts) : null,
          failed,
        }),
      ),
    async sharedState() {
      const state = await object().sharedState({ version });
      return state === null ? undefined : (JSON.parse(state) as SharedState);
    },
    async tellOutside({ facts, variables }) {
      await object().tellOutside({
        version,
        facts: JSON.stringify(facts),
        ...(variables ? { variables: JSON.stringify(variables) } : {}),
      });
    },
    untilCancelled: ({ fence }) => object().untilCancelled({ version, fence }),
    cancel: (roundId) => object().cancel({ version, roundId }),
    async findRequest(roundId) {
      return (await object().findRequest({ version, roundId })) ?? undefined;
    },
    async eventsAfter(call) {
      const { events, forgotten } = await object().eventsAfter({ version, ...call });
      return { events: JSON.parse(events) as SessionEvent[], forgotten };
    },
    watch: (call) =>
      object().fetch("https://session/watch", {
        headers: { upgrade: "websocket", "x-watch": JSON.stringify({ version, ...call }) },
      }),
    async destroy() {
      await object().destroy({ version });
    },
  };
}

function commitCall({ fence, events, facts, usage }: Commit) {
  return { version, fence, events: JSON.stringify(events), facts: JSON.stringify(facts), usage } as const;
}

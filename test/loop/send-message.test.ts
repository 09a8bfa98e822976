import { expect, it, vi } from "vitest";
import { runAndWait } from "../../src/loop/send-message.ts";
import type { RoundServices } from "../../src/loop/run-round.ts";
import { emptyUsage } from "../../src/memory/round.ts";
import { createInMemoryStore } from "../../src/memory/in-memory-store.ts";

it("a handler that fails with an error of its own follows the round, which goes on elsewhere", async () => {
  const complain = vi.spyOn(console, "error").mockImplementation(() => {});
  const request = { tenant: "t", sessionId: "s", roundId: "round-1", userQuery: "hi", createdAt: 1 };
  const round = {
    id: "round-1",
    seq: 1,
    userQuery: "hi",
    state: "finished" as const,
    posts: [],
    createdAt: 1,
  };
  const end = { id: 7, session_id: "s", round_id: "round-1", type: "round_end" as const, at: "", data: {} };
  const events: string[] = [];
  const outcome = await runAndWait({
    request,
    rejectIfBusy: false,
    onEvent: ({ type }) => events.push(type),
    services: {
      usage: emptyUsage(),
      limits: { leaseMs: 1000 },
      store: {
        ...createInMemoryStore(),
        openRound: () => Promise.reject(new Error("The database is gone.")),
        getRound: async () => round,
      },
      sessionClient: {
        begin: async () => ({
          kind: "granted",
          lease: { fence: 1, attempt: 1, nextEventId: 1, startedAt: 1, usage: null, cancelled: false },
        }),
        eventsAfter: async () => ({ events: [end], forgotten: false }),
      },
    } as unknown as RoundServices,
  });
  expect(outcome).toEqual({ kind: "round", round });
  expect(events).toEqual(["round_end"]);
  expect(complain).toHaveBeenCalledOnce();
  complain.mockRestore();
});

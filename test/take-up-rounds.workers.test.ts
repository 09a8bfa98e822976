import { env } from "cloudflare:workers";
import { createScheduledController } from "cloudflare:test";
import { expect, it } from "vitest";
import worker from "../src/index.ts";
import { createD1Store } from "../src/memory/d1-store.ts";
import { newSession, roundEnd } from "./support/workers/api.ts";

it("a round that neither runs nor waits is taken up from its last Post", async () => {
  const session = await newSession({ roles: ["echo"] });
  const ref = { tenant: "alice", id: session };
  // As a deployment would leave it whose session object knows nothing of the round.
  const store = createD1Store(env.DB);
  const createdAt = Date.now() - 10 * 60_000;
  await store.openRound(ref, { id: "round-lost", userQuery: "anybody?", createdAt, fence: 0 });

  await worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env);

  const round = await roundEnd(session, "round-lost");
  expect(round.state).toBe("finished");
  expect(round.post_list.at(-1)!.message).toBe("anybody?");
});

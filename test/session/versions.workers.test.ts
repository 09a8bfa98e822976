import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

const request = (roundId: string) => ({ tenant: "t", sessionId: "s", roundId, userQuery: "?", createdAt: 1 });

it("an object takes calls of an older and of a newer Worker: fields may be missing, or not be known yet", async () => {
  const object = env.SESSIONS.getByName("versions");
  const older = { version: 1 as const, request: request("round-1"), leaseMs: 60_000 };
  const begun = await object.begin(older);
  if (begun.kind !== "granted") throw new Error(begun.kind);
  const { fence } = JSON.parse(begun.lease) as { fence: number };

  const facts = JSON.stringify({ roundSeq: 1, outsideSeen: 0, hereToCome: true });
  const commit = {
    version: 1 as const,
    fence,
    events: "[]",
    facts,
    usage: {} as never,
    hereToCome: { deep: 1 },
  };
  expect(await object.commit(commit)).toBe("[]");
  const newerRequest = { ...request("round-2"), priority: 9 };
  const newer = { version: 1 as const, request: newerRequest, leaseMs: 60_000, hereToCome: true };
  expect(await object.begin(newer)).toEqual({ kind: "queued", position: 1 });
  // What a newer Worker has put into a request is there for the newer Worker that runs it.
  expect(await object.findRequest({ version: 1, roundId: "round-2" })).toEqual(newerRequest);
  const end = { version: 1 as const, fence, events: "[]", facts: null, failed: false };
  expect(await object.end(end)).toBe(true);
  expect(await object.commit(commit)).toBeNull();
});

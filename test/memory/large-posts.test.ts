import { describe, expect, it } from "vitest";
import { createInMemoryStore } from "../../src/memory/in-memory-store.ts";
import { keepLargePosts } from "../../src/memory/large-posts.ts";
import type { Post } from "../../src/memory/post.ts";
import { testStore } from "../suites/store.suite.ts";
import { inMemoryPostBodies } from "../support/in-memory-post-bodies.ts";

testStore("large posts, each of them", () =>
  keepLargePosts(createInMemoryStore(), inMemoryPostBodies(), { rowBytes: 10 }),
);

const session = {
  tenant: "alice",
  id: "session-1",
  roles: ["planner"],
  title: null,
  metadata: {},
  variables: {},
  variablesVersion: 0,
  state: "idle" as const,
  createdAt: 1,
  updatedAt: 1,
};

async function withRound(rowBytes: number) {
  const rows = createInMemoryStore();
  const bodies = inMemoryPostBodies();
  const store = keepLargePosts(rows, bodies, { rowBytes });
  await store.createSession(session);
  await store.openRound(session, { id: "round-1", userQuery: "hi", createdAt: 1, fence: 2 });
  const at = { roundId: "round-1", roundSeq: 1, fence: 2 };
  const reply = (message: string, attachments: Post["attachments"] = []): Post => ({
    id: "post-1",
    sendFrom: "Planner",
    sendTo: "User",
    message,
    attachments,
  });
  return { rows, bodies, store, at, reply };
}

describe("large posts", () => {
  it("leave a reference in the row, and small ones are rows as ever", async () => {
    const { rows, bodies, store, at, reply } = await withRound(200);
    // 100 characters, 300 bytes.
    const large = reply("€".repeat(100), [{ id: "atta-1", type: "plan", content: "1." }]);
    await store.appendPost(session, at, 1, large);
    await store.appendPost(session, at, 1, large);
    const [first, second] = (await rows.getRound(session, "round-1"))!.posts;
    expect(first!.message).toBe("hi");
    expect(second).toMatchObject({ id: "post-1", sendTo: "User", message: "" });
    expect(JSON.stringify(second).length).toBeLessThan(300);
    expect([...bodies.kept.keys()]).toEqual([
      expect.stringMatching(/^alice\/session-1\/round-1\/post-1\/\w{32}$/),
    ]);
    expect((await store.getRound(session, "round-1"))!.posts[1]).toEqual(large);
  });

  it("are not changed by a runner that lost its lease", async () => {
    const { store, at, reply } = await withRound(20);
    await store.appendPost(session, at, 1, reply("what the holder of the lease says"));
    const late = store.appendPost(
      session,
      { ...at, fence: 1 },
      1,
      reply("what somebody says who lost the lease"),
    );
    await expect(late).rejects.toMatchObject({ code: "stale_runner" });
    expect((await store.getRound(session, "round-1"))!.posts[1]!.message).toBe(
      "what the holder of the lease says",
    );
  });

  it("come back as they were, also when they look like a reference", async () => {
    const { store, at, reply } = await withRound(10_000);
    const odd = reply("odd", [{ id: "atta-1", type: "stored_post_body", content: "round-1/post-0/x" }]);
    await store.appendPost(session, at, 1, odd);
    expect((await store.getRound(session, "round-1"))!.posts[1]).toEqual(odd);
  });
});

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createR2PostBodies } from "../../src/files/r2-post-bodies.ts";
import { createD1Store } from "../../src/memory/d1-store.ts";
import { keepLargePosts } from "../../src/memory/large-posts.ts";
import { testStore } from "../suites/store.suite.ts";
import { call, planned, scriptModel, send, type WireRound } from "../support/workers/api.ts";

testStore("D1, with large posts in R2", () =>
  keepLargePosts(createD1Store(env.DB), createR2PostBodies(env.FILES), { rowBytes: 100 }),
);

it("a post over the size of a row is answered, kept, told to the next model, forked and deleted", async () => {
  const text = "é".repeat(900_000);
  const post = { message: text, send_from: "User", send_to: "Planner" };
  const answer = { ...post, message: "read", send_from: "Planner", send_to: "User" };
  const created = await call("/v1/sessions/import?id=large", {
    json: {
      rounds: [{ id: "round-1", user_query: "read it", state: "finished", post_list: [post, answer] }],
    },
  });
  expect(created.status).toBe(201);
  const rows = env.DB.prepare("SELECT max(length(message)) AS n FROM posts WHERE session_id = 'large'");
  expect(await rows.first()).toEqual({ n: 4 });
  const stored = (await (await call("/v1/sessions/large/rounds/round-1")).json()) as WireRound;
  expect(stored.post_list.map(({ message }) => message)).toEqual([text, "read"]);

  const { mention, requests } = await scriptModel([planned("User", "Yes.")]);
  await send("large", `have you read it? ${mention}`);
  expect(JSON.stringify(await requests()).includes(text)).toBe(true);

  const forked = await call("/v1/sessions/large/fork", { json: { id: "large-fork" } });
  expect(forked.status).toBe(201);
  expect((await call("/v1/sessions/large", { method: "DELETE" })).status).toBe(204);
  expect((await env.FILES.list({ prefix: "alice/large/" })).objects).toEqual([]);
  const copied = (await (await call("/v1/sessions/large-fork/rounds/round-1")).json()) as WireRound;
  expect(copied.post_list[0]!.message).toBe(text);
});

import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { conversationFile, writeConversation } from "../../src/memory/conversation-file.ts";
import type { Round } from "../../src/memory/round.ts";
import { emptyUsage } from "../../src/memory/round.ts";
import { factsOfRounds, stateOf } from "../../src/memory/shared-state.ts";

const round: Round = {
  id: "round-20261121-101500-0a0b0c0d",
  seq: 1,
  userQuery: "files added: a.csv.\ncount: the rows — 'all' of them",
  state: "finished",
  stop: "Completed",
  usage: { ...emptyUsage(), modelCalls: 3, d1: { roundTrips: 4, rowsRead: 5, rowsWritten: 6 } },
  posts: [
    { id: "post-1", sendFrom: "User", sendTo: "Planner", message: "count: the rows", attachments: [] },
    {
      id: "post-2",
      sendFrom: "Planner",
      sendTo: "User",
      message: "no\n  leading: 'space' is \"lost\"\n",
      attachments: [
        { id: "atta-1", type: "plan", content: "1. count\n2. tell" },
        { id: "atta-2", type: "artifact_paths", content: ["a.csv", "b.png"] },
        { id: "atta-3", type: "execution_status", content: "SUCCESS", extra: { generation: "g-1" } },
        {
          id: "atta-4",
          type: "shared_memory_entry",
          content: "the plan",
          extra: { type: "plan", content: "the plan", scope: "conversation", id: "sme-1" },
        },
      ],
    },
  ],
  createdAt: Date.UTC(2026, 10, 21, 10, 15),
  finishedAt: Date.UTC(2026, 10, 21, 10, 16),
};
const failed: Round = {
  id: "round-2",
  seq: 2,
  userQuery: "again",
  state: "failed",
  error: { code: "round_limit", message: "too many replies" },
  posts: [],
  createdAt: 1000,
};

describe("a conversation's file", () => {
  it.each([
    ["JSON", (value: unknown): unknown => JSON.parse(JSON.stringify(value))],
    ["YAML", (value: unknown): unknown => parse(stringify(value))],
  ])("comes back from %s exactly as it was, ids included", (_name, pass) => {
    const file = pass(writeConversation("conv-1", [round, failed]));
    expect(conversationFile.parse(file)).toEqual({ id: "conv-1", rounds: [round, failed] });
  });

  it("has the fields of TaskWeaver's own dump", () => {
    const file = writeConversation("conv-1", [round]);
    expect(Object.keys(file)).toEqual(["id", "plugins", "roles", "enabled", "rounds"]);
    expect(file.rounds[0]).toMatchObject({ id: round.id, user_query: round.userQuery, state: "finished" });
    expect(file.rounds[0]!.post_list[0]).toEqual({
      id: "post-1",
      message: "count: the rows",
      send_from: "User",
      send_to: "Planner",
      attachment_list: [],
    });
  });

  it("is read as TaskWeaver's versions wrote it", () => {
    const { rounds } = conversationFile.parse(
      parse(`
id: conv-20240101-000000-aaaabbbb
plugins: []
roles: []
enabled: true
rounds:
  - id: round-7
    user_query: plot it
    state: finished
    post_list:
      - {id: post-a, message: plot it, send_from: User, send_to: Planner}
      - id: post-b
        message: draw
        send_from: Planner
        send_to: CodeInterpreter
        attachment_list:
          - {id: atta-a, type: shared_memory_entry, content: p, extra: {type: plan, scope: conversation, content: p, id: sme-a}}
      - {id: post-c, message: done, send_from: CodeInterpreter, send_to: Planner, attachment_list: [{id: atta-b, type: python, content: "x = 1", extra: null}]}
      - {id: post-d, message: drawn, send_from: Planner, send_to: User, attachment_list: null}
`),
    );
    const [{ posts }] = rounds as [Round];
    expect(posts.map(({ id }) => id)).toEqual(["post-a", "post-b", "post-c", "post-d"]);
    expect(posts[2]!.attachments).toEqual([
      { id: "atta-b-type", type: "reply_type", content: "python" },
      { id: "atta-b", type: "reply_content", content: "x = 1" },
    ]);
    expect(stateOf(factsOfRounds(rounds), 2).shared).toMatchObject([{ role: "Planner", content: "p" }]);
  });

  it("gives up a round that hadn't ended", () => {
    const { rounds } = conversationFile.parse({ rounds: [{ user_query: "?", state: "created" }] });
    expect(rounds).toMatchObject([{ state: "failed", error: { code: "interrupted" }, posts: [] }]);
    expect(rounds[0]!.id).toMatch(/^round-/);
  });

  it.each([
    ["a missing request", { rounds: [{ state: "finished" }] }, "rounds.0.user_query"],
    ["an unknown state", { rounds: [{ user_query: "?", state: "done" }] }, "rounds.0.state"],
    [
      "a shared entry without its scope",
      {
        rounds: [
          {
            user_query: "?",
            state: "finished",
            post_list: [
              {
                message: "",
                send_from: "Planner",
                send_to: "User",
                attachment_list: [{ type: "shared_memory_entry", content: "x", extra: { type: "plan" } }],
              },
            ],
          },
        ],
      },
      "rounds.0.post_list.0.attachment_list.0.extra.content",
    ],
    [
      "an id that is there twice",
      { rounds: [1, 2].map(() => ({ id: "round-1", user_query: "?", state: "finished" })) },
      "rounds.1.id",
    ],
  ])("is refused with the place of %s", (_what, file, path) => {
    const { error } = conversationFile.safeParse(file);
    expect(error!.issues.map((issue) => issue.path.join("."))).toContain(path);
  });
});

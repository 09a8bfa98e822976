import { describe, expect, it } from "vitest";
import type { Llm } from "../../src/llm/llm.ts";
import { StaleRunnerError } from "../../src/memory/store.ts";
import { defineRole, type Turn } from "../../src/roles/role.ts";
import { playSession } from "../support/play-round.ts";

/** A Planner that sends its messages in order, whatever comes back, and ends with "done" to the User. */
function planner(...script: [to: string, message: string][]) {
  return defineRole({
    name: "planner",
    alias: "Planner",
    intro: "",
    async reply(turn) {
      const sent = turn.memory.rounds.at(-1)!.posts.filter(({ sendFrom }) => sendFrom === "Planner").length;
      const [to, message] = script[sent] ?? ["User", "done"];
      turn.post.sendTo(to);
      turn.post.write(message);
    },
  });
}

function worker(alias: string, reply: (turn: Turn) => Promise<void> | void) {
  return defineRole({
    name: alias.toLowerCase(),
    alias,
    intro: `${alias} works.`,
    reply: async (turn) => reply(turn),
  });
}

describe("a Post's storing", () => {
  const slowly = async () => new Promise<void>((resolve) => setTimeout(resolve, 30));

  it("is waited for by a role's turn, unless the role begins early: then by what its checkpoints keep", async () => {
    for (const beginsEarly of [false, true]) {
      const seen: string[] = [];
      const early = defineRole({
        name: "early",
        alias: "Early",
        intro: "",
        beginsEarly,
        async reply(turn) {
          seen.push("begun");
          await turn.checkpoint("once", async () => seen.push("made"));
          seen.push("kept");
          turn.post.write("ok");
        },
      });
      const session = await playSession([planner(["Early", "go"]), early]);
      const { appendPost } = session.store;
      session.store.appendPost = async (...args) => {
        await slowly();
        await appendPost(...args);
        seen.push("stored");
      };
      expect((await session.say("go")).state).toBe("finished");
      expect(seen).toEqual(
        beginsEarly
          ? ["begun", "made", "stored", "kept", "stored"]
          : ["stored", "begun", "made", "kept", "stored"],
      );
      const order = session.events.filter(({ type }) => type === "post_start" || type === "post_end");
      // Whatever is done meanwhile is told after the Post before it.
      expect(order.map(({ type, post_id: id }) => `${type} ${id?.at(-1)}`)).toEqual([
        "post_end 0",
        "post_start 1",
        "post_end 1",
        "post_start 2",
        "post_end 2",
        "post_start 3",
        "post_end 3",
      ]);
    }
  });

  it("ends the round's runner when it has lost the round, whatever a turn that has begun early is doing", async () => {
    let aborted = false;
    const early = defineRole({
      name: "early",
      alias: "Early",
      intro: "",
      beginsEarly: true,
      async reply(turn) {
        await new Promise((resolve) => turn.abort.addEventListener("abort", resolve));
        aborted = true;
        turn.abort.throwIfAborted();
      },
    });
    const session = await playSession([planner(["Early", "go"]), early]);
    session.store.appendPost = async (_ref, at) => {
      throw new StaleRunnerError(at.roundId, at.fence);
    };
    // Nobody else runs the round in this test, so the one who waits is left with it as it is.
    const outcome = await session.say("go").catch((error: unknown) => error);
    expect(String(outcome)).toMatch("no event log");
    await slowly();
    expect(aborted).toBe(true);
  });
});

describe("the star", () => {
  it("fails the round when a worker addresses another one, or the User", async () => {
    for (const receiver of ["Other", "User", "Nobody"]) {
      const rebel = worker("Rebel", (turn) => {
        turn.post.sendTo(receiver);
        turn.post.write("psst");
      });
      const session = await playSession([planner(["Rebel", "go"]), rebel, worker("Other", () => {})]);
      const round = await session.say("go");
      expect(round).toMatchObject({ state: "failed", error: { code: "role_failed" } });
      expect(round.error!.message).toContain(`by Rebel to "${receiver}"`);
      expect(round.posts).toHaveLength(2);
    }
  });

  it("lets a worker correct itself before it answers the Planner", async () => {
    const careful = worker("Careful", (turn) => {
      if (turn.lastPost.sendFrom === "Planner") turn.post.sendTo(turn.alias);
      turn.post.write(`after ${turn.lastPost.sendFrom}`);
    });
    const session = await playSession([planner(["Careful", "go"]), careful]);
    const round = await session.say("go");
    expect(round.posts.map(({ sendFrom, sendTo }) => `${sendFrom} > ${sendTo}`)).toEqual([
      "User > Planner",
      "Planner > Careful",
      "Careful > Careful",
      "Careful > Planner",
      "Planner > User",
    ]);
  });

  it("shows a role only what it sent or received, and nothing of failed rounds", async () => {
    const seen: string[][] = [];
    const nosy = worker("Nosy", (turn) => {
      seen.push(turn.memory.rounds.flatMap(({ posts }) => posts.map(({ message }) => message)));
      if (turn.lastPost.message === "break") throw new Error("broken");
      turn.post.write("seen");
    });
    const scripts: [string, string][][] = [
      [
        ["Quiet", "secret"],
        ["Nosy", "first"],
      ],
      [["Nosy", "break"]],
      [["Nosy", "third"]],
    ];
    let round = 0;
    const leader = defineRole({
      name: "planner",
      alias: "Planner",
      intro: "",
      reply: (turn) => planner(...scripts[round]!).reply(turn),
    });
    const session = await playSession([leader, nosy, worker("Quiet", (turn) => turn.post.write("hush"))]);
    for (round = 0; round < 3; round++) await session.say(`message ${round}`);
    expect(seen).toEqual([["first"], ["first", "seen", "break"], ["first", "seen", "third"]]);
  });
});

describe("what roles share", () => {
  it("a guide reaches another worker though the Planner leaves it out", async () => {
    let guide: unknown;
    const scientist = worker("Scientist", (turn) => {
      turn.shared.put({ type: "guide", content: "use the median", scope: "round" });
      turn.post.write("I left a guide.");
    });
    const coder = worker("Coder", (turn) => {
      guide = turn.shared.get("guide").map(({ role, content }) => ({ role, content }));
      turn.post.write("done");
    });
    const session = await playSession([planner(["Scientist", "advise"], ["Coder", "go"]), scientist, coder]);
    await session.say("go");
    expect(guide).toEqual([{ role: "Scientist", content: "use the median" }]);
  });

  it("a type that one role determines is read by two others, for as long as it holds", async () => {
    const read: unknown[] = [];
    const reader = (alias: string) =>
      worker(alias, (turn) => {
        read.push([alias, turn.shared.get("task_type").map(({ role, content }) => `${role}: ${content}`)]);
        turn.post.write("read");
      });
    const determiner = worker("TypeDeterminer", (turn) => {
      turn.shared.put({ type: "task_type", content: `type of ${turn.query}`, scope: "conversation" });
      turn.post.write("determined");
    });
    const script: [string, string][] = [
      ["TypeDeterminer", "which type?"],
      ["Worker1", "go"],
      ["Worker2", "go"],
    ];
    const session = await playSession([planner(...script), determiner, reader("Worker1"), reader("Worker2")]);
    await session.say("task 17");
    await session.say("task 18");
    expect(read).toEqual([
      ["Worker1", ["TypeDeterminer: type of task 17"]],
      ["Worker2", ["TypeDeterminer: type of task 17"]],
      ["Worker1", ["TypeDeterminer: type of task 18"]],
      ["Worker2", ["TypeDeterminer: type of task 18"]],
    ]);
  });

  it("entries and board go with their round, signals stay", async () => {
    const notes: unknown[] = [];
    const keeper = worker("Keeper", (turn) => {
      notes.push({
        shared: turn.shared.get().map(({ type, content }) => `${type}=${content}`),
        board: turn.board.read(),
        signal: turn.signals.get("mode"),
        delivered: turn.lastPost.attachments("mode"),
      });
      const { message } = turn.lastPost;
      if (message !== "look") {
        turn.shared.put({
          type: "topic",
          content: message,
          scope: message === "lasting" ? "conversation" : "round",
        });
        turn.board.write(message);
        turn.signals.set("mode", `${message}:with:colons`);
      }
      turn.post.write("kept");
    });
    const steps: [string, string][][] = [
      [["Keeper", "lasting"]],
      [
        ["Keeper", "passing"],
        ["Keeper", "look"],
      ],
      [["Keeper", "look"]],
    ];
    let round = 0;
    const leader = defineRole({
      name: "planner",
      alias: "Planner",
      intro: "",
      reply: (turn) => planner(...steps[round]!).reply(turn),
    });
    const session = await playSession([leader, keeper]);
    for (round = 0; round < 3; round++) await session.say("go");
    expect(notes).toEqual([
      { shared: [], board: {}, signal: undefined, delivered: [] },
      {
        shared: ["topic=lasting"],
        board: {},
        signal: "lasting:with:colons",
        delivered: ["lasting:with:colons"],
      },
      {
        shared: ["topic=passing"],
        board: { Keeper: "passing" },
        signal: "passing:with:colons",
        delivered: ["passing:with:colons"],
      },
      {
        shared: ["topic=lasting"],
        board: {},
        signal: "passing:with:colons",
        delivered: ["passing:with:colons"],
      },
    ]);
  });

  it("what a failed round shared is out of force again, its signal isn't", async () => {
    const looks: unknown[] = [];
    const messy = worker("Messy", (turn) => {
      looks.push([turn.shared.get("plan").map(({ content }) => content), turn.signals.get("s")]);
      turn.shared.put({ type: "plan", content: turn.query, scope: "conversation" });
      turn.signals.set("s", turn.query);
      turn.post.write("done");
      if (turn.query === "second" && looks.length > 3) throw new Error("fails");
    });
    const session = await playSession([planner(["Messy", "go"], ["Messy", "again"]), messy]);
    for (const message of ["first", "second", "third"]) await session.say(message);
    expect(looks).toEqual([
      [[], undefined],
      [["first"], "first"],
      [["first"], "first"],
      [["second"], "second"],
      [["first"], "second"],
      [["third"], "third"],
    ]);
  });
});

describe("a round's end", () => {
  it("keeps a role's own error text from the client", async () => {
    const clumsy = worker("Clumsy", () => {
      throw new Error("password is hunter2");
    });
    const session = await playSession([planner(["Clumsy", "go"]), clumsy]);
    const round = await session.say("go");
    expect(round.error).toMatchObject({ code: "role_failed" });
    expect(JSON.stringify([round, session.events])).not.toContain("hunter2");
  });

  it("comes by the clock when a role takes too long", async () => {
    const sleeper = worker("Sleeper", (turn) => {
      return new Promise((_resolve, reject) => {
        turn.abort.addEventListener("abort", () => reject(new Error("aborted")));
      });
    });
    const session = await playSession([planner(["Sleeper", "sleep"]), sleeper], { timeMs: 50 });
    expect((await session.say("go")).error).toMatchObject({ code: "time_limit" });
  });

  it("comes when it is cancelled", async () => {
    const abort = new AbortController();
    const sleeper = worker("Sleeper", async (turn) => {
      const aborted = new Promise((resolve) => turn.abort.addEventListener("abort", resolve));
      abort.abort();
      await aborted;
    });
    const session = await playSession([planner(["Sleeper", "sleep"]), sleeper]);
    const round = await session.say("go", abort.signal);
    expect(round).toMatchObject({ state: "failed", error: { code: "cancelled" } });
    expect(round.posts).toHaveLength(2);
  });

  it.each([
    [4, 9, "finished"],
    [5, 10, "failed"],
  ])(
    "comes by the tenth reply: %i exchanges make %i replies, and it is %s",
    async (exchanges, replies, state) => {
      const script = Array.from({ length: exchanges }, (): [string, string] => ["Busy", "go"]);
      const session = await playSession([
        planner(...script),
        worker("Busy", (turn) => turn.post.write("ok")),
      ]);
      const round = await session.say("go");
      expect(round.posts).toHaveLength(1 + replies);
      expect(round.state).toBe(state);
    },
  );
});

describe("a checkpoint", () => {
  it("is taken once in a turn, under its name", async () => {
    let calls = 0;
    const steady = worker("Steady", async (turn) => {
      const first = await turn.checkpoint("a", async () => ++calls);
      const other = await turn.checkpoint("b", async () => ++calls);
      turn.post.write(`${first} ${other}`);
    });
    const session = await playSession([planner(["Steady", "go"]), steady]);
    expect((await session.say("go")).posts[2]!.message).toBe("1 2");
    expect(calls).toBe(2);
  });
});

it("each stored event has the next id, and round_end comes last", async () => {
  const session = await playSession([
    planner(["Worker", "go"]),
    worker("Worker", (turn) => turn.post.write("ok")),
  ]);
  await session.say("one");
  await session.say("two");
  const ids = session.events.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual(ids.map((_id, index) => index + 1));
  expect(session.events.at(-1)!.type).toBe("round_end");
  const posts = session.events.filter(({ type }) => type === "post_end");
  expect(posts).toHaveLength(8);
});

describe("tokens", () => {
  const spender = (tokens: number) =>
    worker("Spender", async (turn) => {
      await turn.llm.chat([]).result();
      turn.post.write(`spent ${tokens}`);
    });
  const spending = (tokens: number): Llm => ({
    chat: () => {
      const result = async () => ({
        text: "",
        finishReason: "stop" as const,
        promptTokens: tokens,
        completionTokens: 0,
      });
      return { result, async *[Symbol.asyncIterator]() {} };
    },
  });

  it("end a round that has used its own up", async () => {
    const script = Array.from({ length: 4 }, (): [string, string] => ["Spender", "go"]);
    const session = await playSession([planner(...script), spender(100)], {
      llm: spending(100),
      roundTokens: 150,
    });
    const round = await session.say("go");
    expect(round).toMatchObject({
      state: "failed",
      error: { code: "token_limit" },
      usage: { promptTokens: 200 },
    });
    expect(round.error!.message).toContain("session.max_round_tokens");
  });

  it("end a round of a session that has used up those of all its rounds", async () => {
    const options = { llm: spending(100), sessionTokens: 150 };
    const session = await playSession([planner(["Spender", "go"]), spender(100)], options);
    expect((await session.say("one")).state).toBe("finished");
    const second = await session.say("two");
    expect(second).toMatchObject({ state: "failed", error: { code: "token_limit" } });
    expect((await session.say("three")).posts).toHaveLength(1);
  });
});

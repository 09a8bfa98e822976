import { expect, it } from "vitest";
import type { FoundLessons, LessonQuery, LessonSource } from "../../src/experience/lessons.ts";
import { defineRole, type Turn } from "../../src/roles/role.ts";
import { playSession } from "../support/play-round.ts";

/** Sends its worker one message, and answers. */
const planner = defineRole({
  name: "planner",
  alias: "Planner",
  intro: "",
  async reply(turn) {
    turn.post.sendTo(turn.lastPost.sendFrom === "User" ? "Learner" : "User");
    turn.post.write("go");
  },
});

const learner = (reply: (turn: Turn) => Promise<unknown>) =>
  defineRole({
    name: "learner",
    alias: "Learner",
    intro: "",
    async reply(turn) {
      turn.post.write(JSON.stringify(await reply(turn)));
    },
  });

/** Lessons of a list, whatever is asked; keeps what was asked. */
function listedLessons(found: Partial<FoundLessons>) {
  const asked: LessonQuery[] = [];
  const source: LessonSource = {
    async find(query) {
      asked.push(query);
      return { lessons: [], folderExists: true, ...found };
    },
  };
  return { source, asked };
}

const lesson = (id: string, score: number, text = id) => ({ id, text, score, subPath: "" });
const switchedOn = { learner: { useExperience: true } };

it("a role of one's own has lessons when they are switched on for it", async () => {
  const { source, asked } = listedLessons({ lessons: [lesson("near", 0.6), lesson("far", 0.1)] });
  const role = learner(async (turn) => (await turn.experience.load({ query: "how?" })).map(({ id }) => id));
  const off = await playSession([planner, role], { lessons: source });
  expect((await off.say("go")).posts[2]).toMatchObject({ message: "[]" });
  expect(asked).toEqual([]);
  const on = await playSession([planner, role], { lessons: source, knowledge: switchedOn });
  const post = (await on.say("go")).posts[2]!;
  expect(post.message).toBe('["near"]');
  expect(post.trace).toEqual({
    experience: [{ sub_path: "", decided_by: "none", lessons: [{ id: "near", score: 0.6 }] }],
  });
  expect(asked).toMatchObject([{ role: "learner", query: "how?", subPath: "" }]);
});

it("a role may name its folder, or not listen to others", async () => {
  const { source, asked } = listedLessons({});
  const role = learner(async (turn) => {
    turn.signals.set("_signal_exp_sub_path", "said");
    await turn.experience.load({ query: "-" });
    await turn.experience.load({ query: "-", subPath: "own" });
  });
  for (const dynamicExperience of [true, false]) {
    const knowledge = { learner: { useExperience: true, dynamicExperience } };
    const session = await playSession([planner, role], { lessons: source, knowledge });
    await session.say("first");
    await session.say("second");
  }
  expect(asked.map(({ subPath }) => subPath)).toEqual(["", "own", "said", "own", "", "own", "", "own"]);
});

it("lessons are cut to what there is room for, the best first", async () => {
  const lessons = [
    lesson("a", 0.9, "word ".repeat(10)),
    lesson("same", 0.9, "word ".repeat(10)),
    lesson("long", 0.8, "word ".repeat(1000)),
    lesson("b", 0.7),
    lesson("c", 0.6),
    lesson("d", 0.5),
  ];
  const { source } = listedLessons({ lessons });
  const role = learner(async (turn) => (await turn.experience.load({ query: "-" })).map(({ id }) => id));
  const limits = { threshold: 0.55, topK: 3, maxTokens: 100 };
  const shown = async (more: Partial<typeof limits>) => {
    const knowledge = { learner: { useExperience: true, lessons: { ...limits, ...more } } };
    const session = await playSession([planner, role], { lessons: source, knowledge });
    return JSON.parse((await session.say("go")).posts[2]!.message) as string[];
  };
  expect(await shown({})).toEqual(["a", "b", "c"]);
  expect(await shown({ topK: 10 })).toEqual(["a", "b", "c"]);
  expect(await shown({ topK: 2 })).toEqual(["a", "b"]);
  expect(await shown({ topK: 10, threshold: 0.1 })).toEqual(["a", "b", "c", "d"]);
  expect(await shown({ maxTokens: 5000 })).toEqual(["a", "long", "b"]);
});

it("nearness doesn't decide in a folder that was chosen, unless it is configured", async () => {
  const { source } = listedLessons({ lessons: [lesson("far", 0)] });
  const role = learner(
    async (turn) => (await turn.experience.load({ query: "-", subPath: "type_1" })).length,
  );
  for (const [threshold, expected] of [
    [undefined, "1"],
    [0.2, "0"],
  ] as const) {
    const lessons = { threshold, topK: 3, maxTokens: 100 };
    const knowledge = { learner: { useExperience: true, lessons } };
    const session = await playSession([planner, role], { lessons: source, knowledge });
    expect((await session.say("go")).posts[2]!.message).toBe(expected);
  }
});

it("a round goes on when lessons can't be looked up, and says so", async () => {
  const broken: LessonSource = {
    find: async () => {
      throw new Error("no database");
    },
  };
  const role = learner((turn) => turn.experience.load({ query: "-" }));
  const session = await playSession([planner, role], { lessons: broken, knowledge: switchedOn });
  const round = await session.say("go");
  expect(round.state).toBe("finished");
  expect(round.posts[2]!.trace!.experience).toMatchObject([{ warning: "experience_unavailable" }]);
  const warnings = session.events.filter(({ type }) => type === "warning");
  expect(warnings).toMatchObject([{ post_id: round.posts[2]!.id, data: { code: "experience_unavailable" } }]);
});

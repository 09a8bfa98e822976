import { expect, it } from "vitest";
import { roleView } from "../../src/memory/role-view.ts";
import type { Round } from "../../src/memory/round.ts";
import { showTemporal } from "../../src/memory/temporal.ts";

const START = "{{DELIMITER_START_TEMPORAL}}";
const END = "{{DELIMITER_END_TEMPORAL}}";

it.each([
  ["nothing temporal", "plain", "plain", "plain"],
  ["one part", `a ${START}now${END} b`, "a now b", "a  b"],
  ["two parts", `${START}1${END}-${START}2${END}`, "1-2", "-"],
  ["over lines", `a\n${START}x\ny${END}\nb`, "a\nx\ny\nb", "a\n\nb"],
  ["no end", `a ${START}now`, "a now", `a ${START}now`],
  ["no start", `a now${END}`, "a now", `a now${END}`],
])(
  "%s: in its own round without the markers, later without what is between them",
  (_what, text, now, later) => {
    expect(showTemporal(text, true)).toBe(now);
    expect(showTemporal(text, false)).toBe(later);
  },
);

it("a role's view shows what is temporal in the last round only, and leaves the stored Posts alone", () => {
  const round = (seq: number): Round => ({
    id: `round-${seq}`,
    seq,
    userQuery: "",
    state: "finished",
    posts: [
      {
        id: `post-${seq}`,
        sendFrom: "Ann",
        sendTo: "Planner",
        message: `say ${START}t${END}`,
        attachments: [],
      },
    ],
    createdAt: 0,
  });
  const rounds = [round(1), round(2)];
  const messages = roleView(rounds, "Ann").map(({ posts }) => posts[0]!.message);
  expect(messages).toEqual(["say ", "say t"]);
  expect(rounds[0]!.posts[0]!.message).toContain(START);
});

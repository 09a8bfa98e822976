import { describe, expect, it } from "vitest";
import {
  EXPERIENCE_SIGNAL,
  EXPERIENCE_SUB_PATH,
  selectSubPath,
} from "../../src/experience/select-sub-path.ts";
import { lastSaid, type Fact } from "../../src/memory/shared-state.ts";

const signal = (roundSeq: number, seq: number, value: string | null, n?: number): Fact => ({
  roundSeq,
  seq,
  kind: "signal",
  key: EXPERIENCE_SIGNAL,
  value,
  ...(n === undefined ? {} : { n }),
});
const entry = (
  roundSeq: number,
  seq: number,
  content: string,
  scope: "round" | "conversation",
  role = "Ann",
): Fact => ({
  roundSeq,
  seq,
  kind: "shared",
  role,
  entry: { type: EXPERIENCE_SUB_PATH, content, scope, id: "sme-1" },
});

/** What is chosen in round 2. */
const chosen = (facts: Fact[], { isDynamic = true, named }: { isDynamic?: boolean; named?: string } = {}) => {
  const said = lastSaid(facts, 2, { signal: EXPERIENCE_SIGNAL, entry: EXPERIENCE_SUB_PATH });
  const { subPath, decidedBy } = selectSubPath({ named, isDynamic, lastSaid: said });
  return `${subPath} by ${decidedBy}`;
};

describe("the folder of lessons", () => {
  it.each<[what: string, facts: Fact[], expected: string]>([
    ["nobody has said one", [], " by none"],
    ["a signal", [signal(1, 1, "a")], "a by signal"],
    ["an entry for the conversation", [entry(1, 1, "a", "conversation")], "a by shared_memory"],
    ["an entry for this round", [entry(2, 1, "a", "round")], "a by shared_memory"],
    ["an entry for a round that is over", [entry(1, 1, "a", "round")], " by none"],
    ["an entry after a signal", [signal(1, 1, "a"), entry(2, 1, "b", "conversation")], "b by shared_memory"],
    ["a signal after an entry", [entry(1, 3, "b", "conversation"), signal(2, 1, "a")], "a by signal"],
    [
      "the order in which they are listed doesn't count",
      [signal(2, 1, "a"), entry(1, 3, "b", "conversation")],
      "a by signal",
    ],
    [
      "two roles: the later one",
      [entry(2, 1, "a", "conversation", "Ben"), entry(2, 3, "b", "conversation", "Ann")],
      "b by shared_memory",
    ],
    [
      "a signal that was taken away",
      [entry(1, 1, "b", "conversation"), signal(1, 2, "a"), signal(1, 3, null, 1)],
      "b by shared_memory",
    ],
    ["one from outside after a Post's", [signal(1, 1, "a"), signal(1, 1, "b", 1)], "b by signal"],
    [
      "one that means the base folder",
      [signal(1, 1, "a"), entry(1, 2, "", "conversation")],
      " by shared_memory",
    ],
  ])("%s", (_what, facts, expected) => expect(chosen(facts)).toBe(expected));

  it("is the one that the role names, whatever was said", () => {
    expect(chosen([signal(1, 1, "a")], { named: "own" })).toBe("own by role");
    expect(chosen([signal(1, 1, "a")], { named: "" })).toBe(" by role");
  });

  it("is the base folder when what others say doesn't count", () => {
    expect(chosen([signal(1, 1, "a")], { isDynamic: false })).toBe(" by none");
  });

  it.each(["..", "a/../b", "/etc", "a\\b", "C:/x", "a//b", "./a", "a\0b", "x".repeat(300)])(
    "is never outside of the base folder: %j",
    (said) => expect(chosen([signal(1, 1, said)])).toBe("undefined by signal"),
  );

  it.each(["task_type_1", "a/b/c", "Aufträge 2026", "v1.2", "..a", "a/"])("may be %j", (said) => {
    expect(chosen([signal(1, 1, said)])).toBe(`${said.replace(/\/$/, "")} by signal`);
  });
});

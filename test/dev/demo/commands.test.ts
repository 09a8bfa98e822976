import { describe, expect, it } from "vitest";
import { readLine } from "../../../dev/demo/commands.ts";

describe("a line of the conversation", () => {
  it.each([
    ["/help", "help"],
    ["/H", "help"],
    ["/?", "help"],
    ["/Save", "save"],
    ["/info", "info"],
    ["/reset", "reset"],
    ["/CLEAR", "clear"],
    ["/exit", "exit"],
    ["/bye", "exit"],
    [" /quit ", "exit"],
  ])("%s is a command", (line, name) => {
    expect(readLine(line)).toEqual({ kind: "command", name, argument: "" });
  });

  it.each([
    ["/load a.csv", "a.csv"],
    ["/FILE  my file.csv ", "my file.csv"],
    ['/img "my file.csv"', "my file.csv"],
    ["/image 'x.png'", "x.png"],
  ])("%s loads a file", (line, argument) => {
    expect(readLine(line)).toEqual({ kind: "command", name: "load", argument });
  });

  it("is a message otherwise, also when it begins with a path", () => {
    expect(readLine("/tmp/a.csv has which columns?")).toEqual({
      kind: "message",
      text: "/tmp/a.csv has which columns?",
    });
    expect(readLine("hello")).toEqual({ kind: "message", text: "hello" });
    expect(readLine("  ")).toEqual({ kind: "nothing" });
    expect(readLine("/dance")).toEqual({ kind: "unknown", name: "dance" });
  });
});

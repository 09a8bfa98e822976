import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { chooseColours } from "../../../dev/demo/colours.ts";
import { parseEvent } from "../../../dev/demo/events.ts";
import { readServerSentEvents } from "../../../dev/demo/server-sent-events.ts";
import { createTranscript } from "../../../dev/demo/transcript.ts";
import { answeredRound, endOfRound, type ScriptedEvent } from "./scripted-server.ts";

const plain = chooseColours({ isTerminal: false });

function shown(events: ScriptedEvent[]): string {
  const transcript = createTranscript(plain);
  return events
    .map((event) => {
      const parsed = parseEvent(JSON.stringify({ round_id: "round-1", ...event }));
      if (!parsed) throw new Error(`not understood: ${JSON.stringify(event)}`);
      return transcript.show(parsed).text;
    })
    .join("");
}

const start = (role: string): ScriptedEvent => ({ type: "post_start", post_id: "p", data: { role } });
const attach = (type: string, delta: string): ScriptedEvent => ({
  type: "post_attachment",
  post_id: "p",
  data: { attachment_id: type, attachment_type: type, delta, is_end: false },
});
const end = (
  send_from: string,
  send_to: string,
  message: string,
  attachments: Record<string, unknown> = {},
): ScriptedEvent => ({
  type: "post_end",
  post_id: "p",
  data: {
    post: {
      id: "p",
      send_from,
      send_to,
      message,
      attachment_list: Object.entries(attachments).map(([type, content]) => ({ id: type, type, content })),
    },
  },
});

describe("the transcript", () => {
  it("shows a recorded round: who speaks to whom, plan, code, output, answer", async () => {
    const file = await readFile(new URL("recorded-round.sse", import.meta.url));
    const transcript = createTranscript(plain);
    let text = "";
    // Torn at odd places, as a network does.
    const chunks = (async function* () {
      for (let at = 0; at < file.length; at += 777) yield file.subarray(at, at + 777);
    })();
    for await (const data of readServerSentEvents(chunks)) {
      const event = parseEvent(data);
      if (event) text += transcript.show(event).text;
    }
    expect(text.split("\n").map((line) => line.trimEnd())).toEqual([
      "",
      "● User",
      "  → Planner",
      "    how many days are left this year?",
      "",
      "● Planner",
      "  reasoning",
      "    This takes a computation.",
      "  plan",
      "    1. How many days are there between today and the end of this year and report to the User",
      "  step",
      "    1. How many days are there between today and the end of this year",
      "  message",
      "    How many days are there between today and the end of this year?",
      "  → CodeInterpreter",
      "",
      "● CodeInterpreter",
      "  thought",
      "    A few lines of Python give the exact answer.",
      "  code",
      "    from datetime import date",
      "",
      "    first = date.today()",
      "    second = date(date.today().year, 12, 31)",
      "    days = (second - first).days",
      '    print("from", first, "to", second, "there are", days, "days")',
      "  output",
      "    from 2026-11-21 to 2026-12-31 there are 40 days",
      "  execution SUCCESS",
      "  → Planner",
      "",
      "● Planner",
      "  reasoning",
      "    Every step is done.",
      "  plan",
      "    1. How many days are there between today and the end of this year and report to the User",
      "  step",
      "    1. How many days are there between today and the end of this year and report to the User",
      "  message",
      "    from 2026-11-21 to 2026-12-31 there are 40 days",
      "",
      "    (demo model: rules, not a language model)",
      "  → User",
      "",
      expect.stringMatching(/^finished {2}\d+\.\d s, 3 model calls, \d+ tokens$/),
      "",
    ]);
  });

  it("shows at the end what didn't come in pieces", () => {
    expect(
      shown([
        start("CodeInterpreter"),
        end("CodeInterpreter", "Planner", "I ran this code: …", {
          thought: "Add them.",
          reply_type: "python",
          reply_content: "x = 1\nx + 1",
          verification: "NONE",
          code_error: "No verification of code is on.",
          execution_status: "SUCCESS",
          execution_result: "Value: 2",
          artifact_paths: ["a.txt"],
        }),
      ]),
    ).toBe(
      "\n● CodeInterpreter\n  thought Add them.\n  code\n    x = 1\n    x + 1\n  execution SUCCESS\n  result Value: 2\n  → Planner\n",
    );
  });

  it("shows the rest of what came in pieces only in part", () => {
    const text = shown([
      start("Planner"),
      attach("plan", "1. Lo"),
      end("Planner", "User", "hi", { plan: "1. Load it" }),
    ]);
    expect(text).toBe("\n● Planner\n  plan\n    1. Load it\n  → User\n    hi\n");
  });

  it("withdraws what an unusable reply said", () => {
    const text = shown([
      start("Planner"),
      attach("plan", "1. Nons"),
      { type: "post_error", post_id: "p", data: { message: "the reply was cut off" } },
      attach("plan", "1. Load"),
      end("Planner", "User", "hi", { plan: "1. Load" }),
    ]);
    expect(text).toContain("1. Nons\n  (withdrawn: the reply was cut off)\n  plan\n    1. Load\n");
  });

  it("shows a failed run with its traceback, and what verification found", () => {
    const text = shown([
      start("CodeInterpreter"),
      end("CodeInterpreter", "CodeInterpreter", "…", {
        reply_content: "import os",
        verification: "INCORRECT",
        code_error: "os is not allowed",
        execution_status: "FAILURE",
        execution_result: "Error:\nTraceback\nValueError: no",
      }),
    ]);
    expect(text).toContain(
      "  verification INCORRECT\n  error os is not allowed\n  execution FAILURE\n  result\n    Error:\n    Traceback\n    ValueError: no\n",
    );
  });

  it("doesn't let anybody's text steer the terminal", () => {
    const text = shown([
      start("Planner"),
      end("Planner", "User", "a\u001b[2Jb\u001b]0;title\u0007c\rd\u009be\tf"),
    ]);
    expect(text).toContain("    abcde\tf\n");
  });

  it("names artifacts, warnings and an early end", () => {
    const text = shown([
      start("CodeInterpreter"),
      { type: "artifact", data: { name: "chart.svg", mime: "image/svg+xml", size: 12 } },
      { type: "warning", data: { code: "w", message: "no lessons" } },
      endOfRound({ state: "failed", error: { code: "time_limit", message: "Too long." } }),
    ]);
    expect(text).toContain("  ◆ chart.svg (image/svg+xml, 12 bytes)\n  warning: no lessons\n");
    expect(text).toContain("failed: time_limit\n  Too long.\n  It took too long: ask for less at once");
  });

  it("says when the Planner stopped for another reason than success", () => {
    const events = [
      ...answeredRound("which?").slice(0, -1),
      endOfRound({ state: "finished", stop: "Clarification" }),
    ];
    expect(shown(events)).toContain("finished (Clarification)");
  });

  it("ignores what it doesn't know", () => {
    expect(parseEvent('{"type":"post_sparkle","data":{}}')).toBeUndefined();
    expect(parseEvent("no json")).toBeUndefined();
  });
});

import { mkdtemp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDemo } from "../../../dev/demo/run-demo.ts";
import { answeredRound, endOfRound, scriptedServer } from "./scripted-server.ts";

/** Runs the demo as the command line would; `lines` are what somebody types at a terminal. */
async function demo(
  words: string[],
  {
    lines,
    url,
    folder,
    environment = {},
    isTTY = false,
    interrupt,
  }: {
    lines?: string[];
    /** Where the stack that is started answers. */
    url?: string;
    folder?: string;
    environment?: Record<string, string>;
    isTTY?: boolean;
    interrupt?: (press: () => void) => void;
  } = {},
) {
  let written = "";
  let stopped = 0;
  const typed = [...(lines ?? [])];
  const code = await runDemo(words, {
    startStack: async ({ ports, onStatus }) => {
      expect(ports).toBe("free");
      if (!url) throw new Error("The sandbox ended by itself.");
      onStatus?.("starting the code sandbox");
      return { url, modelName: "taskweaver-demo", demoModel: true, stop: async () => void stopped++ };
    },
    output: { write: (text) => (written += text), isTTY, columns: 80 },
    environment,
    folder: folder ?? (await mkdtemp(join(tmpdir(), "demo-test-"))),
    askLine: lines && (async () => typed.shift()),
    onInterrupt(listener) {
      interrupt?.(listener);
      return () => {};
    },
  });
  return { code, written, stopped };
}

describe("npm run demo", () => {
  it("asks one question on a stack of its own, and stops it", async () => {
    await using server = await scriptedServer({ rounds: [answeredRound("42 it is")] });
    const { code, written, stopped } = await demo(["what", "is 6*7"], { url: server.url });
    expect({ code, stopped }).toEqual({ code: 0, stopped: 1 });
    expect(written).toContain("… starting the code sandbox\n");
    expect(written).toContain("the demo model answers");
    expect(written).toContain("● Planner\n  → User\n    42 it is\n");
    expect(written).toContain("finished");
    expect(server.calls.map(({ call }) => call)).toEqual([
      "POST /v1/sessions",
      "POST /v1/sessions/session-1/messages",
      "GET /v1/sessions/session-1/artifacts",
    ]);
    expect(server.calls[1]?.body).toEqual({ message: "what is 6*7" });
  });

  it("sends files and puts artifacts into a folder, never over what is there", async () => {
    const folder = await mkdtemp(join(tmpdir(), "demo-test-"));
    await writeFile(join(folder, "a b.csv"), "x\n1\n");
    await mkdir(join(folder, "taskweaver-demo"));
    await writeFile(join(folder, "taskweaver-demo/chart.svg"), "mine");
    await using server = await scriptedServer({
      rounds: [answeredRound("done")],
      artifacts: [
        { id: "a1", name: "chart.svg", content: "<svg/>" },
        { id: "a2", name: "../../evil.txt", content: "stays inside" },
      ],
    });
    const { code, written } = await demo(["draw it", "--file", "a b.csv"], { url: server.url, folder });
    expect(code).toBe(0);
    expect(server.calls[1]?.body).toEqual({
      message: "draw it",
      files: [{ name: "a b.csv", content_base64: Buffer.from("x\n1\n").toString("base64") }],
    });
    expect((await readdir(join(folder, "taskweaver-demo"))).toSorted()).toEqual([
      "chart-2.svg",
      "chart.svg",
      "evil.txt",
    ]);
    expect(await readFile(join(folder, "taskweaver-demo/chart.svg"), "utf8")).toBe("mine");
    expect(written).toContain(`saved ${join(folder, "taskweaver-demo/chart-2.svg")}`);
  });

  it("makes no folder when there are no artifacts", async () => {
    const folder = await mkdtemp(join(tmpdir(), "demo-test-"));
    await using server = await scriptedServer({ rounds: [answeredRound("done")] });
    await demo(["hello"], { url: server.url, folder });
    expect(await readdir(folder)).toEqual([]);
  });

  it("asks the sample question about the sample file when nothing is given", async () => {
    await using server = await scriptedServer({ rounds: [answeredRound("done")] });
    const { code } = await demo([], { url: server.url });
    const body = server.calls[1]?.body as {
      message: string;
      files: { name: string; content_base64: string }[];
    };
    expect(code).toBe(0);
    expect(body.message).toContain("Which region");
    expect(body.files[0]?.name).toBe("sales.csv");
    expect(Buffer.from(body.files[0]?.content_base64 ?? "", "base64").toString()).toMatch(
      /^region,product,date,units,price\n/,
    );
  });

  it("says why a round failed and what to do", async () => {
    await using server = await scriptedServer({
      rounds: [[endOfRound({ state: "failed", error: { code: "model_rejected", message: "Wrong key." } })]],
    });
    const { code, written } = await demo(["hello"], { url: server.url });
    expect(code).toBe(1);
    expect(written).toContain(
      "failed: model_rejected\n  Wrong key.\n  Check OPENAI_API_KEY and OPENAI_MODEL.",
    );
  });

  it("talks to a running server, with its key", async () => {
    await using server = await scriptedServer({ rounds: [answeredRound("hi")], key: "secret" });
    const refused = await demo(["hello", "--url", server.url]);
    expect(refused).toMatchObject({ code: 1, stopped: 0 });
    expect(refused.written).toContain("Send a key. (HTTP 401)\nGive the server's API key with --key.");
    const taken = await demo(["hello", "--url", `${server.url}/`, "--key", "secret"]);
    expect(taken.code).toBe(0);
  });

  it.each([
    [["hello", "--fil", "x"], "'--fil'"],
    [["hello", "--file"], "--file"],
    [["hello", "--file", "nowhere.csv"], "There is no file nowhere.csv."],
    [["hello", "--file", "."], ". is no file."],
    [["hello", "--key", "k"], "--key goes with --url."],
    [["hello", "--url", "localhost"], '"localhost"'],
    [["--file", join(import.meta.dirname, "recorded-round.sse")], "add a question"],
  ])("exits with 2 when it is called wrongly: %j", async (words, said) => {
    const { code, written } = await demo(words);
    expect(code).toBe(2);
    expect(written).toContain(said);
    expect(written).toContain("Usage:");
  });

  it("shows its usage", async () => {
    expect(await demo(["--help"])).toMatchObject({ code: 0, stopped: 0 });
  });

  it("exits with 1 when the stack doesn't start, or nobody answers", async () => {
    const unstarted = await demo(["hello"]);
    expect(unstarted.code).toBe(1);
    expect(unstarted.written).toContain("The sandbox ended by itself.");
    const unanswered = await demo(["hello", "--url", "http://127.0.0.1:1"]);
    expect(unanswered.code).toBe(1);
    expect(unanswered.written).toContain("No answer from http://127.0.0.1:1");
  });

  it("asks for the round's end when the stream breaks", async () => {
    const post = {
      id: "post-9",
      send_from: "Planner",
      send_to: "User",
      message: "late but here",
      attachment_list: [],
    };
    await using server = await scriptedServer({
      rounds: [[{ type: "round_start", data: {} }, 20, "break"]],
      storedRound: { id: "round-1", state: "finished", post_list: [post] },
    });
    const { code, written } = await demo(["hello"], { url: server.url });
    expect(code).toBe(0);
    expect(written).toContain("late but here");
  });

  it("cancels the round on Ctrl-C", async () => {
    const failed = endOfRound({
      state: "failed",
      error: { code: "cancelled", message: "The round was cancelled." },
    });
    await using server = await scriptedServer({
      rounds: [[{ type: "round_start", data: {} }, "hang", failed]],
    });
    const { code, written } = await demo(["count to a million"], {
      url: server.url,
      interrupt: (press) => setTimeout(press, 300),
    });
    expect(code).toBe(1);
    expect(server.calls.map(({ call }) => call)).toContain(
      "POST /v1/sessions/session-1/rounds/round-1/cancel",
    );
    expect(written).toContain("failed: cancelled");
  });

  it("leaves on the second Ctrl-C, though a doubled signal counts once", async () => {
    await using server = await scriptedServer({ rounds: [[{ type: "round_start", data: {} }, 60_000]] });
    const started = performance.now();
    const { code } = await demo(["count to a million"], {
      url: server.url,
      lines: ["this is never asked"],
      interrupt(press) {
        for (const at of [200, 210, 900]) setTimeout(press, at);
      },
    });
    expect(code).toBe(1);
    expect(performance.now() - started).toBeGreaterThan(800);
    expect(server.calls.filter(({ call }) => call.endsWith("/cancel"))).toHaveLength(1);
    expect(server.calls.filter(({ call }) => call.endsWith("/messages"))).toHaveLength(1);
  });

  it("goes on as a conversation at a terminal", async () => {
    const folder = await mkdtemp(join(tmpdir(), "demo-test-"));
    await writeFile(join(folder, "b.csv"), "y\n2\n");
    await using server = await scriptedServer({
      rounds: [answeredRound("one"), answeredRound("two"), answeredRound("three")],
      experience: 404,
    });
    const { code, written } = await demo([], {
      url: server.url,
      folder,
      lines: [
        "/HELP",
        "",
        "/Load nowhere.csv",
        '/img "b.csv"',
        "/info",
        "and this?",
        "/save",
        "/nonsense",
        "/reset",
        "again",
        "/Quit",
        "never",
      ],
    });
    expect(code).toBe(0);
    const messages = server.calls.filter(({ call }) => call.endsWith("/messages"));
    expect(messages.map(({ call }) => call.split("/")[3])).toEqual(["session-1", "session-1", "session-2"]);
    expect(messages[1]?.body).toMatchObject({ message: "and this?", files: [{ name: "b.csv" }] });
    expect(messages[2]?.body).toEqual({ message: "again" });
    for (const said of [
      "/bye",
      "There is no file nowhere.csv.",
      "files    b.csv",
      "session  session-1, 1 round(s)",
      "Not saved: No such route. (HTTP 404)",
      "no command /nonsense",
    ]) {
      expect(written).toContain(said);
    }
  });

  it("has colours on a terminal only, and none with NO_COLOR", async () => {
    const escape = "\u001b[1m";
    for (const [isTTY, environment, coloured] of [
      [true, {}, true],
      [true, { NO_COLOR: "1" }, false],
      [false, {}, false],
    ] as const) {
      await using server = await scriptedServer({ rounds: [answeredRound("hi")] });
      const { written } = await demo(["hello"], { url: server.url, isTTY, environment });
      expect(written.includes(escape)).toBe(coloured);
    }
  });
});

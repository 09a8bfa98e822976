import { describe, expect, it } from "vitest";
import {
  attached,
  call,
  newSession,
  planned,
  python,
  scriptModel,
  send,
  speakers,
  type WireRound,
} from "../../support/workers/api.ts";
import { resetInterpreter } from "../../support/workers/sandbox.ts";
import { readEvents } from "../../support/workers/read-events.ts";

describe("a message", () => {
  it("goes through Planner, CodeInterpreter and the real interpreter to an answer", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Multiply 6 by 7."),
      python("print('working')\n6 * 7"),
      planned("User", "It is 42."),
    ]);
    const round = await send(session, `what is 6 times 7? ${mention}`);
    expect(round).toMatchObject({ state: "finished", stop: "Completed", session_id: session });
    expect(speakers(round)).toEqual([
      "User > Planner",
      "Planner > CodeInterpreter",
      "CodeInterpreter > Planner",
      "Planner > User",
    ]);
    const [, instruction, report, answer] = round.post_list;
    expect(attached(instruction!, "plan")).toEqual(["1. do it"]);
    expect(attached(report!, "reply_content")).toEqual(["print('working')\n6 * 7"]);
    expect(attached(report!, "execution_status")).toEqual(["SUCCESS"]);
    expect(report!.message).toContain("It succeeded.\nValue: 42\nOutput:\nworking");
    expect(answer!.message).toBe("It is 42.");
    expect(round.usage).toMatchObject({ model_calls: 3, prompt_tokens: 300, completion_tokens: 30 });

    const stored = await call(`/v1/sessions/${session}/rounds/${round.id}`);
    expect(await stored.json()).toEqual(round);
    const list = (await (await call(`/v1/sessions/${session}/rounds`)).json()) as { data: WireRound[] };
    expect(list.data).toEqual([round]);
  });

  it("finds the variables of the round before, and the model the conversation", async () => {
    const session = await newSession();
    const first = await scriptModel([
      planned("CodeInterpreter", "Set x."),
      python("x = 20"),
      planned("User", "Done."),
    ]);
    await send(session, `set x ${first.mention}`);
    const second = await scriptModel([
      planned("CodeInterpreter", "Add 1 to x."),
      python("x + 1"),
      planned("User", "21"),
    ]);
    const round = await send(session, `add one ${second.mention}`);
    expect(round.post_list[2]!.message).toContain("Value: 21");
    const [planner, coder] = await second.requests();
    // Worked examples come first; the real conversation begins with the last marker.
    const start = planner!.messages.findLastIndex(({ content }) =>
      content.startsWith("[A new conversation starts here.]"),
    );
    const real = planner!.messages.slice(start).map(({ role }) => role);
    expect(real).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(planner!.messages[0]!.role).toBe("system");
    expect(coder!.messages.at(-1)!.content).toContain("The User's request: add one");
    expect(coder!.messages.at(-1)!.content).toMatch(/From: Planner\nMessage: Add 1 to x\.$/);
  });

  it("brings its files to the code, and what the code made back", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Sum the numbers of numbers.csv into sum.txt."),
      python(
        "total = sum(int(line) for line in open('numbers.csv'))\nopen('sum.txt', 'w').write(str(total))\ntotal",
      ),
      planned("User", "The sum is 6."),
    ]);
    const files = [{ name: "numbers.csv", content_base64: btoa("1\n2\n3\n") }];
    const round = await send(session, `sum it ${mention}`, files);
    expect(round.post_list[0]!.message).toMatch(/^files added: numbers\.csv\.\nsum it/);
    expect(round.post_list[2]!.message).toContain("Value: 6");
    expect(attached(round.post_list[2]!, "artifact_paths")).toEqual([["sum.txt"]]);

    const listed = await call(`/v1/sessions/${session}/artifacts`);
    const { data } = (await listed.json()) as { data: { id: string; name: string; round_id: string }[] };
    expect(data).toMatchObject([{ name: "sum.txt", size: 1, round_id: round.id }]);
    const artifact = await call(`/v1/sessions/${session}/artifacts/${data[0]!.id}`);
    expect(artifact.headers.get("content-disposition")).toContain("attachment");
    expect(await artifact.text()).toBe("6");
  });

  it("lets the CodeInterpreter mend code that fails", async () => {
    const session = await newSession();
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Divide 1 by 0."),
      python("kept = 5\n1 / 0"),
      python("kept + 1"),
      planned("User", "Mended."),
    ]);
    const round = await send(session, `divide ${mention}`);
    expect(speakers(round)).toEqual([
      "User > Planner",
      "Planner > CodeInterpreter",
      "CodeInterpreter > CodeInterpreter",
      "CodeInterpreter > Planner",
      "Planner > User",
    ]);
    const feedback = (await requests())[2]!.messages.at(-1)!.content;
    expect(feedback).toContain("Execution: FAILURE");
    expect(feedback).toMatch(/line 2[\s\S]*ZeroDivisionError: division by zero/);
    expect(round.post_list[3]!.message).toContain("Value: 6");
  });

  it("reports code that keeps failing to the Planner, who says so", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Fail."),
      ...Array.from({ length: 4 }, () => python("raise ValueError('no way')")),
      planned("User", "It can't be done.", "TaskFailure"),
    ]);
    const round = await send(session, `fail ${mention}`);
    expect(round).toMatchObject({ state: "finished", stop: "TaskFailure" });
    expect(round.post_list.filter(({ send_to }) => send_to === "CodeInterpreter")).toHaveLength(4);
    expect(round.post_list.at(-2)!.message).toContain("ValueError: no way");
  });

  it.each([
    ["malformed", { text: '{"response": {"plan" oops' }],
    [
      "cut off by the token limit",
      { text: JSON.stringify({ response: planned("User", "half an ans") }), finishReason: "length" },
    ],
    ["addressed to nobody", planned("Nobody", "hello?")],
    ["without a message", planned("User", " ")],
  ])("has the Planner correct a reply that is %s, and never shows it as an answer", async (_what, bad) => {
    const session = await newSession();
    const { mention } = await scriptModel([bad, planned("User", "Now it is right.")]);
    const round = await send(session, `talk ${mention}`);
    expect(speakers(round)).toEqual(["User > Planner", "Planner > Planner", "Planner > User"]);
    expect(attached(round.post_list[1]!, "invalid_response")).toHaveLength(1);
    expect(round.post_list[2]!.message).toBe("Now it is right.");
  });

  it("never runs code that was cut off", async () => {
    const session = await newSession();
    const cutOff = JSON.stringify({ response: python("open('ran.txt', 'w').write('ran')") }).slice(0, -6);
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Write."),
      { text: cutOff, finishReason: "length" },
      python("import os\nos.path.exists('ran.txt')"),
      planned("User", "Done."),
    ]);
    const round = await send(session, `write ${mention}`);
    expect(round.post_list.find(({ message }) => message.includes("Value:"))!.message).toContain(
      "Value: False",
    );
  });

  it("says that the variables are gone when the interpreter was lost, and goes on with a new one", async () => {
    const session = await newSession();
    const first = await scriptModel([
      planned("CodeInterpreter", "Set x."),
      python("x = 20\nopen('kept.txt', 'w').write('kept')\nx"),
      planned("User", "Done."),
    ]);
    await send(session, `set x ${first.mention}`);
    const crash = await scriptModel([
      planned("CodeInterpreter", "Crash."),
      python("import os\nos._exit(3)"),
      python("try:\n    x\nexcept NameError:\n    x = None\n(x, open('kept.txt').read())"),
      planned("User", "Crashed."),
    ]);
    const round = await send(session, `crash ${crash.mention}`);
    const [lost, after] = round.post_list.filter(({ send_from }) => send_from === "CodeInterpreter");
    expect(attached(lost!, "execution_status")).toEqual(["FAILURE"]);
    expect(lost!.message).toMatch(/interpreter was lost[\s\S]*variables of earlier steps are gone/);
    expect(after!.message).toContain("Value: (None, 'kept')");
  });

  it("doesn't run code that was written for variables that are gone meanwhile", async () => {
    const session = await newSession();
    const first = await scriptModel([
      planned("CodeInterpreter", "Set x."),
      python("x = 1"),
      planned("User", "Done."),
    ]);
    await send(session, `set x ${first.mention}`);
    await resetInterpreter(session);
    const second = await scriptModel([
      planned("CodeInterpreter", "Write."),
      python("open('ran.txt', 'w').write('ran')"),
      python("import os\nos.path.exists('ran.txt')"),
      planned("User", "Done."),
    ]);
    const round = await send(session, `write ${second.mention}`);
    const [lost, after] = round.post_list.filter(({ send_from }) => send_from === "CodeInterpreter");
    expect(lost!.message).toContain("interpreter was lost");
    expect(after!.message).toContain("Value: False");
  });

  it("ends a round that finds no end", async () => {
    const session = await newSession({ roles: ["planner", "echo"] });
    const { mention } = await scriptModel(Array.from({ length: 20 }, () => planned("Echo", "again")));
    const round = await send(session, `go on ${mention}`);
    expect(round).toMatchObject({ state: "failed", error: { code: "round_limit" } });
    expect(round.post_list).toHaveLength(11);
  });

  it("fails the round, with the reason, when the model refuses or breaks off", async () => {
    const session = await newSession();
    const refused = await scriptModel([{ status: 401 }]);
    const round = await send(session, `hi ${refused.mention}`);
    expect(round.state).toBe("failed");
    expect(round.error).toMatchObject({ code: "model_rejected" });
    expect(round.error!.message).toMatch(/http:\/\/127\.0\.0\.1:\d+\/v1 answered 401.*OPENAI_API_KEY/);
    expect(JSON.stringify(round)).not.toContain("key-of-the-model");

    const broken = await scriptModel([{ text: '{"response": {"plan_re', breakOff: true }]);
    expect((await send(session, `hi ${broken.mention}`)).error).toMatchObject({ code: "model_unreachable" });

    const recovered = await scriptModel([planned("User", "Here I am.")]);
    await send(session, `hi ${recovered.mention}`);
    const prompt = JSON.stringify((await recovered.requests())[0]!.messages);
    expect(prompt).not.toContain(refused.mention);
  });

  it("takes back a reply that broke off, and asks again", async () => {
    const session = await newSession();
    const { text } = { text: JSON.stringify({ response: planned("User", "Here I am.") }) };
    const { mention } = await scriptModel([
      { text: text.slice(0, -12), breakOff: true },
      planned("User", "Here I am, all of me."),
    ]);
    const response = await call(`/v1/sessions/${session}/messages`, {
      json: { message: `hi ${mention}` },
      headers: { accept: "text/event-stream" },
    });
    const events = await readEvents(response);
    const types = events.map(({ type }) => type);
    expect(types).toContain("post_error");
    const after = events.slice(types.lastIndexOf("post_error"));
    const told = after
      .filter(({ type }) => type === "post_message")
      .map(({ data }) => (data as { delta: string }).delta);
    expect(told.join("")).toBe("Here I am, all of me.");
    const { round } = events.at(-1)!.data as { round: WireRound };
    expect(round).toMatchObject({ state: "finished", usage: { model_calls: 2 } });
    expect(attached(round.post_list[1]!, "plan")).toEqual(["1. do it"]);
  });

  it("speaks with a lone worker through the relay", async () => {
    const session = await newSession({ roles: ["echo"] });
    const round = await send(session, "hello out there");
    expect(speakers(round)).toEqual(["User > Planner", "Planner > Echo", "Echo > Planner", "Planner > User"]);
    expect(round.post_list.at(-1)!.message).toBe("hello out there");
  });

  it("waits for the round before it, or is refused when it asks for that", async () => {
    const session = await newSession();
    const slow = await scriptModel([
      planned("CodeInterpreter", "Wait."),
      python("import time\ntime.sleep(1)\nlog = ['first']"),
      planned("User", "first"),
    ]);
    const quick = await scriptModel([
      planned("CodeInterpreter", "Look."),
      python("log + ['second']"),
      planned("User", "second"),
    ]);
    const first = send(session, `first ${slow.mention}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const refused = await call(`/v1/sessions/${session}/messages`, {
      json: { message: "third" },
      headers: { "if-busy": "reject" },
    });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: "session_busy" });
    const second = await send(session, `second ${quick.mention}`);
    expect((await first).state).toBe("finished");
    expect(second.post_list[2]!.message).toContain("Value: ['first', 'second']");
  });
});

describe("a message with events", () => {
  it("tells what happens as it happens, and ends with the round", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Count."),
      python("for n in range(3): print(n)\nopen('count.txt', 'w').write('3')"),
      planned("User", "Counted to three."),
    ]);
    const response = await call(`/v1/sessions/${session}/messages`, {
      json: { message: `count ${mention}` },
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = await readEvents(response);

    const types = events.map(({ type }) => type);
    expect(types[0]).toBe("round_start");
    expect(types.at(-1)).toBe("round_end");
    expect(types).toContain("execution_output");
    const stored = events.filter(({ id }) => id !== undefined).map(({ id }) => id);
    expect(stored).toEqual(stored.map((_id, index) => index + 1));
    expect(events.filter(({ type }) => type === "post_message").every(({ id }) => id === undefined)).toBe(
      true,
    );

    // What was told in pieces is what was stored.
    const { round } = events.at(-1)!.data as { round: WireRound };
    for (const post of round.post_list.slice(1)) {
      const deltas = events.filter((event) => event.type === "post_message" && event.post_id === post.id);
      expect(deltas.map(({ data }) => data.delta).join("")).toBe(post.message);
    }
    const made = events.filter(({ type }) => type === "artifact").map(({ data }) => data);
    const listed = await call(`/v1/sessions/${session}/artifacts`);
    expect(made).toEqual(((await listed.json()) as { data: object[] }).data);
    expect(made).toMatchObject([{ name: "count.txt", size: 1, round_id: round.id }]);
    const answer = round.post_list.at(-1)!;
    expect(
      events.filter((event) => event.type === "post_message" && event.post_id === answer.id).length,
    ).toBeGreaterThan(2);
    const stored2 = await call(`/v1/sessions/${session}/rounds/${round.id}`);
    expect(await stored2.json()).toEqual(round);
  });

  it("goes on counting its events from round to round", async () => {
    const session = await newSession({ roles: ["echo"] });
    const ids = [];
    for (const message of ["one", "two"]) {
      const response = await call(`/v1/sessions/${session}/messages`, {
        json: { message },
        headers: { accept: "text/event-stream" },
      });
      ids.push(...(await readEvents(response)).flatMap(({ id }) => (id === undefined ? [] : [id])));
    }
    expect(ids).toEqual(ids.map((_id, index) => index + 1));
  });

  it("withdraws what a bad reply has said", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      { text: JSON.stringify({ response: planned("User", "wrong") }), finishReason: "length" },
      planned("User", "right"),
    ]);
    const response = await call(`/v1/sessions/${session}/messages`, {
      json: { message: `say ${mention}` },
      headers: { accept: "text/event-stream" },
    });
    const events = await readEvents(response);
    const shown = events.findIndex(({ type, data }) => type === "post_message" && data.delta === "wrong");
    const types = events.map(({ type }) => type);
    expect(types.indexOf("post_error")).toBeGreaterThan(shown);
  });

  it("answers 404, not a stream, for a session that isn't there", async () => {
    const response = await call("/v1/sessions/nowhere/messages", {
      json: { message: "hello?" },
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(404);
  });
});

describe("a plugin of the project", () => {
  it("is told to the model and called by its code", async () => {
    const session = await newSession();
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Find the outliers of 3, 4, 5, 4 and 99."),
      python("outliers, fences = find_outliers([3, 4, 5, 4, 99])\noutliers"),
      planned("User", "99 is one."),
    ]);
    const round = await send(session, `outliers? ${mention}`);
    expect(round.post_list[2]!.message).toContain("Value: [99.0]");
    const [, coder] = await requests();
    const real = coder!.messages.findLast(({ content }) =>
      content.startsWith("[A new conversation starts here.]"),
    );
    expect(real!.content).toMatch(/## Plugins[\s\S]*def find_outliers\(\n {4}values: list,/);
  });
});

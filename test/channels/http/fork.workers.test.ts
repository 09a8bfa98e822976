import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/lib/digest.ts";
import {
  call,
  newSession,
  planned,
  python,
  roundEnd,
  scriptModel,
  send,
  sendAsync,
  type WireRound,
} from "../../support/workers/api.ts";

const fork = (session: string, json: object = {}) => call(`/v1/sessions/${session}/fork`, { json });
const made = async (response: Response) => {
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as { id: string; title: string | null };
};
const roundsOf = async (session: string) =>
  ((await (await call(`/v1/sessions/${session}/rounds`)).json()) as { data: WireRound[] }).data.toReversed();

async function runCode(session: string, code: string, files?: { name: string; content_base64: string }[]) {
  const { mention, requests } = await scriptModel([
    planned("CodeInterpreter", "Do it."),
    python(code),
    planned("User", `Done: ${code}`),
  ]);
  return { round: await send(session, `do it ${mention}`, files), requests };
}

/** As a handler that has made a session's interpreter, and ends before it has brought the files. */
async function openAndDie(session: string): Promise<void> {
  const name = (await sha256Hex(JSON.stringify(["alice", session]))).slice(0, 40);
  const { SANDBOX_URL, SANDBOX_TOKEN } = env as unknown as Record<string, string>;
  const response = await fetch(`${SANDBOX_URL}/v1/contexts/${name}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${SANDBOX_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ plugins: [], variables: {} }),
  });
  expect(response.status).toBe(201);
}

describe("a fork", () => {
  it("has the conversation so far, its files, and its own future", async () => {
    const session = await newSession({ title: "First", variables: { region: "north" } });
    const upload = { name: "goods.csv", content_base64: btoa("a,b\n") };
    const { round: first } = await runCode(session, "x = 1\nopen('one.txt', 'w').write('1')", [upload]);
    await call(`/v1/sessions/${session}/signals`, { method: "PUT", json: { mode: "fast" } });
    const { round: second } = await runCode(session, "open('two.txt', 'w').write('2')");

    await call(`/v1/sessions/${session}/signals`, { method: "PUT", json: { later: "yes" } });
    const signalsOf = async (id: string) => (await call(`/v1/sessions/${id}/signals`)).json();

    const whole = await made(await fork(session));
    expect(await signalsOf(whole.id)).toEqual({ mode: "fast", later: "yes" });
    expect(whole.title).toBe("First");
    expect((await roundsOf(whole.id)).map(({ id }) => id)).toEqual([first.id, second.id]);
    const early = await made(await fork(session, { at_round: first.id, id: "early", title: "Other way" }));
    expect(early).toMatchObject({ id: "early", title: "Other way", roles: ["planner", "code_interpreter"] });
    expect(await signalsOf("early")).toEqual({ mode: "fast" });
    const [copied, ...more] = await roundsOf("early");
    expect(more).toEqual([]);
    expect(copied).toEqual({ ...first, session_id: "early" });

    const file = (await (await call("/v1/sessions/early/export")).json()) as Record<string, object[]>;
    expect(file).toMatchObject({ session: { variables: { region: "north" } }, uploads: [upload] });
    expect(file["artifacts"]).toMatchObject([{ name: "one.txt", content_base64: btoa("1") }]);

    await send("early", "go another way " + (await scriptModel([planned("User", "Gone.")])).mention);
    expect((await roundsOf(session)).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await call(`/v1/sessions/${session}`, { method: "DELETE" })).status).toBe(204);
    const kept = await env.FILES.list({ prefix: "alice/early/" });
    expect(kept.objects.map(({ key }) => key)).toHaveLength(2);
  });

  it("remembers what the original does of older rounds, as far as it goes back; so does an import", async () => {
    const origin = await newSession({ roles: ["planner"] });
    await send(origin, (await scriptModel([planned("User", "Noted.")])).mention);
    const file = (await (await call(`/v1/sessions/${origin}/export`)).json()) as {
      rounds: WireRound[];
      session: object;
    };
    const rounds = Array.from({ length: 6 }, (_none, index) => {
      const message = `number ${index + 1}.`;
      const post_list = file.rounds[0]!.post_list.map((post, seq) => ({
        ...post,
        id: `post-of-six-${index}-${seq}`,
        message,
      }));
      return { ...file.rounds[0]!, id: `round-of-six-${index + 1}`, user_query: message, post_list };
    });
    const summaries = [{ role: "Planner", up_to_round: 4, text: "The User counted to four." }];
    const session = { ...file.session, id: "of-six" };
    expect(
      (await call("/v1/sessions/import", { json: { ...file, session, rounds, summaries } })).status,
    ).toBe(201);
    await made(await fork("of-six", { id: "of-six-whole" }));
    await made(await fork("of-six", { id: "of-three", at_round: "round-of-six-3" }));
    const exported = await (await call("/v1/sessions/of-six-whole/export")).json();
    expect(exported).toMatchObject({ summaries });

    const promptOf = async (id: string) => {
      const { mention, requests } = await scriptModel([planned("User", "Noted.")]);
      await send(id, `go on ${mention}`);
      return JSON.stringify((await requests())[0]!.messages);
    };
    for (const id of ["of-six", "of-six-whole"]) {
      const prompt = await promptOf(id);
      expect(prompt).toContain("The User counted to four.");
      expect(prompt).toContain("number 5.");
      expect(prompt).not.toContain("number 4.");
    }
    const early = await promptOf("of-three");
    expect(early).toContain("number 1.");
    expect(early).not.toContain("counted to four");
  });

  it("has an interpreter of its own, and its model is told that the variables are gone", async () => {
    const session = await newSession();
    await runCode(session, "x = 1");
    const { id } = await made(await fork(session));
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Add one."),
      python("x + 1"),
      python("x = 1\nx + 1"),
      planned("User", "2"),
    ]);
    const round = await send(id, `add one ${mention}`);
    const said = JSON.stringify(round.post_list[2]);
    expect(said).toContain("The interpreter was lost");
    expect(round.post_list[3]!.message).toContain("Value: 2");
    const { round: original } = await runCode(session, "x + 10");
    expect(original.post_list[2]!.message).toContain("Value: 11");
  });

  it("has the files that code made, each as the code left it last", async () => {
    const session = await newSession();
    const upload = { name: "goods.csv", content_base64: btoa("raw") };
    const make = [
      "import os",
      "os.makedirs('out/deep', exist_ok=True)",
      "open('out/deep/one.txt', 'w').write('first')",
      "open('goods.csv', 'w').write('cleaned')",
    ];
    await runCode(session, make.join("\n"), [upload]);
    await runCode(session, "open('out/deep/one.txt', 'w').write('second')");
    const read = "[open('out/deep/one.txt').read(), open('goods.csv').read()]";
    const readIn = async (id: string) => {
      const { mention } = await scriptModel([
        planned("CodeInterpreter", "Read them."),
        python(read),
        python(read),
        planned("User", "Read."),
      ]);
      return (await send(id, `read ${mention}`)).post_list[3]!.message;
    };
    expect(await readIn((await made(await fork(session))).id)).toContain("Value: ['second', 'cleaned']");

    const { id } = await made(await fork(session));
    await openAndDie(id);
    expect(await readIn(id)).toContain("Value: ['second', 'cleaned']");
  });

  it("never has a round that runs", async () => {
    const session = await newSession();
    const { round: first } = await runCode(session, "1");
    const slow = await scriptModel([
      planned("CodeInterpreter", "Wait."),
      python("import time\ntime.sleep(3)"),
      planned("User", "Waited."),
    ]);
    const running = await sendAsync(session, `wait ${slow.mention}`);
    while ((await roundsOf(session)).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    const { id } = await made(await fork(session));
    expect((await roundsOf(id)).map((round) => round.id)).toEqual([first.id]);
    const refused = await fork(session, { at_round: running });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: "round_running" });
    expect((await roundEnd(session, running)).state).toBe("finished");
  });

  it("is refused with a reason", async () => {
    const session = await newSession({ id: "fork-me" });
    const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
    expect(await codeOf(await fork(session, { at_round: "round-nowhere" }))).toBe("round_not_found");
    expect(await codeOf(await fork("nowhere"))).toBe("session_not_found");
    expect(await codeOf(await fork(session, { id: "fork-me" }))).toBe("session_exists");
    expect(await codeOf(await fork(session, { at: "x" }))).toBe("invalid_body");
    const theirs = await call(`/v1/sessions/${session}/fork`, { json: {}, key: "key-of-bob" });
    expect(theirs.status).toBe(404);
    expect(await roundsOf((await made(await fork(session))).id)).toEqual([]);
  });
});

it("a fork at an earlier round has the variables and signals as they were then", async () => {
  const session = await newSession({ roles: ["echo"], variables: { unit: "km" } });
  const put = (what: string, json: unknown) =>
    call(`/v1/sessions/${session}/${what}`, { method: "PUT", json });
  const first = await send(session, "one");
  await put("signals", { mode: "fast" });
  const second = await send(session, "two");
  await put("variables", { unit: "miles", added: "later" });
  await put("signals", { mode: "slow" });
  await send(session, "three");
  await put("variables", { unit: null });

  const forkAt = async (at_round?: string) => {
    const response = await call(`/v1/sessions/${session}/fork`, { json: at_round ? { at_round } : {} });
    const { id } = (await response.json()) as { id: string };
    const [variables, signals] = await Promise.all(
      ["variables", "signals"].map(async (what) => (await call(`/v1/sessions/${id}/${what}`)).json()),
    );
    return { variables, signals };
  };
  expect(await forkAt(first.id)).toEqual({ variables: { unit: "km" }, signals: { mode: "fast" } });
  expect(await forkAt(second.id)).toEqual({
    variables: { unit: "miles", added: "later" },
    signals: { mode: "slow" },
  });
  expect(await forkAt()).toEqual({ variables: { added: "later" }, signals: { mode: "slow" } });
});

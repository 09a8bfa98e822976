import { describe, expect, it } from "vitest";
import {
  call,
  newSession,
  planned,
  python,
  scriptModel,
  send,
  type WireRound,
} from "../../support/workers/api.ts";

interface SessionFile {
  format: string;
  version: number;
  session: Record<string, unknown>;
  rounds: (WireRound & { session_id?: string })[];
  uploads: { name: string; content_base64: string }[];
  artifacts: Record<string, unknown>[];
}

const exportOf = async (session: string) =>
  (await (await call(`/v1/sessions/${session}/export`)).json()) as SessionFile;
const importAs = (id: string | undefined, json: unknown, key?: string) =>
  call(`/v1/sessions/import${id === undefined ? "" : `?id=${id}`}`, { json, ...(key ? { key } : {}) });
const problemOf = async (response: Response) =>
  (await response.json()) as { status: number; code: string; detail: string; errors?: { path: string }[] };

let theFile: Promise<SessionFile> | undefined;

async function sessionWithPast() {
  const session = await newSession({
    title: "Prices",
    metadata: { ticket: 7 },
    variables: { region: "north" },
  });
  const { mention } = await scriptModel([
    planned("CodeInterpreter", "Sum the numbers."),
    python("x = 6\nopen('sum.txt', 'w').write(str(x))\nx"),
    planned("User", "The sum is 6."),
  ]);
  const files = [{ name: "numbers – all.csv", content_base64: btoa("1\n2\n3\n") }];
  const round = await send(session, `sum it ${mention}`, files);
  return { session, round };
}

describe("export and import", () => {
  it("make the session again elsewhere, with everything in it and its ids", async () => {
    const { session, round } = await sessionWithPast();
    await call(`/v1/sessions/${session}/signals`, { method: "PUT", json: { mode: "fast" } });
    const response = await call(`/v1/sessions/${session}/export`);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename*=UTF-8''${session}.session.json`,
    );
    const file = (await response.json()) as SessionFile;
    expect(file).toMatchObject({
      format: "taskweaver-edge/session",
      version: 1,
      session: { id: session, title: "Prices", metadata: { ticket: 7 }, variables: { region: "north" } },
      signals: [{ key: "mode", value: "fast", after_round: 1, after_post: 3 }],
      uploads: [{ name: "numbers – all.csv", content_base64: btoa("1\n2\n3\n") }],
      artifacts: [{ name: "sum.txt", round_id: round.id, content_base64: btoa("6") }],
    });

    const imported = await importAs(undefined, file, "key-of-bob");
    expect(imported.status).toBe(201);
    expect(await imported.json()).toMatchObject({ id: session, title: "Prices", state: "idle" });
    const asBob = { key: "key-of-bob" };
    expect(await (await call(`/v1/sessions/${session}/rounds/${round.id}`, asBob)).json()).toEqual(round);
    const artifact = await call(`/v1/sessions/${session}/artifacts/${file.artifacts[0]!["id"]}`, asBob);
    expect(await artifact.text()).toBe("6");
    expect(await (await call(`/v1/sessions/${session}/signals`, asBob)).json()).toEqual({ mode: "fast" });
    const again = await call(`/v1/sessions/${session}/export`, asBob);
    const { session: head, ...content } = file;
    expect(await again.json()).toEqual({ ...content, session: head });
  });

  it("an imported session goes on, and its model knows what was said", async () => {
    const { session } = await sessionWithPast();
    const imported = await importAs("moved-on", await exportOf(session));
    expect(imported.status).toBe(201);
    const next = await scriptModel([planned("User", "It was 6.")]);
    const round = await send("moved-on", `what was it? ${next.mention}`);
    expect(round.state).toBe("finished");
    const [request] = await next.requests();
    expect(JSON.stringify(request)).toContain("The sum is 6.");
  });

  it("a taken id is refused, and the session there keeps what it has", async () => {
    const { session, round } = await sessionWithPast();
    const file = await exportOf(session);
    const refused = await importAs(undefined, { ...file, rounds: [], uploads: [] });
    expect(await problemOf(refused)).toMatchObject({ status: 409, code: "session_exists" });
    expect((await exportOf(session)).rounds.map(({ id }) => id)).toEqual([round.id]);
  });

  it("a round that was running is failed as interrupted", async () => {
    const { session, round } = await sessionWithPast();
    const file = await exportOf(session);
    const [first] = file.rounds;
    const cut = { ...first, state: "created", stop: undefined, finished_at: null };
    await importAs("cut-off", { ...file, rounds: [cut] });
    expect(await (await call(`/v1/sessions/cut-off/rounds/${round.id}`)).json()).toMatchObject({
      state: "failed",
      error: { code: "interrupted" },
    });
    expect(await (await call("/v1/sessions/cut-off")).json()).toMatchObject({ state: "idle" });
  });

  it("TaskWeaver's own dump goes out and comes in", async () => {
    const { session, round } = await sessionWithPast();
    const dump = (await (await call(`/v1/sessions/${session}/export?format=taskweaver`)).json()) as object;
    expect(dump).toMatchObject({ plugins: [], roles: [], enabled: true, rounds: [{ id: round.id }] });
    const created = await importAs(undefined, {
      id: "conv-1",
      plugins: [],
      roles: ["Planner", "Echo"],
      enabled: true,
      rounds: [
        {
          id: "round-old",
          user_query: "say hi",
          state: "finished",
          post_list: [
            { id: "post-1", message: "say hi", send_from: "User", send_to: "Planner" },
            {
              id: "post-2",
              message: "hi",
              send_from: "Planner",
              send_to: "Echo",
              attachment_list: [{ id: "atta-1", type: "python", content: "x = 1", extra: null }],
            },
            { id: "post-3", message: "hi", send_from: "Echo", send_to: "Planner", attachment_list: null },
            { id: "post-4", message: "hi!", send_from: "Planner", send_to: "User", attachment_list: [] },
          ],
        },
      ],
    });
    expect(created.status).toBe(201);
    const made = (await created.json()) as { id: string; roles: string[] };
    expect(made.roles).toEqual(["planner", "code_interpreter", "echo"]);
    const kept = (await (await call(`/v1/sessions/${made.id}/rounds/round-old`)).json()) as WireRound;
    expect(kept.post_list.map(({ id }) => id)).toEqual(["post-1", "post-2", "post-3", "post-4"]);
    expect(kept.post_list[1]!.attachment_list.map(({ type }) => type)).toEqual([
      "reply_type",
      "reply_content",
    ]);
  });

  it("the model of an imported conversation is told that its code's variables are gone", async () => {
    const posts = [
      { message: "set x", send_from: "User", send_to: "Planner" },
      {
        message: "x is set",
        send_from: "CodeInterpreter",
        send_to: "Planner",
        attachment_list: [{ id: "atta-1", type: "execution_status", content: "SUCCESS", extra: null }],
      },
      { message: "done", send_from: "Planner", send_to: "User" },
    ];
    const rounds = [{ id: "round-1", user_query: "set x", state: "finished", post_list: posts }];
    expect((await importAs("from-taskweaver", { rounds })).status).toBe(201);
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Add one."),
      python("x + 1"),
      python("x = 1\nx + 1"),
      planned("User", "2"),
    ]);
    const round = await send("from-taskweaver", `add one ${mention}`);
    expect(JSON.stringify(round.post_list[2])).toContain("The interpreter was lost");
    expect(round.post_list[3]!.message).toContain("Value: 2");
  });

  it("of imports to one id at the same time one comes through, and whole", async () => {
    const { session } = await sessionWithPast();
    const file = await exportOf(session);
    const others = [1, 2, 3, 4].map((number) => ({
      ...file,
      rounds: file.rounds.map((round) => ({ ...round, id: `round-${number}` })),
    }));
    const responses = await Promise.all(others.map((other) => importAs("wanted", other)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const winner = responses.findIndex(({ status }) => status === 201);
    const made = await exportOf("wanted");
    expect(made.rounds).toEqual(others[winner]!.rounds);
    expect(made.artifacts).toEqual(file.artifacts);
  });

  it.each<[string, (file: SessionFile) => void, string, string]>([
    [
      "a round without state",
      ({ rounds }) => delete (rounds[0] as Partial<WireRound>).state,
      "invalid_body",
      "rounds.0.state",
    ],
    ["a newer version", (file) => void (file.version = 2), "invalid_body", "version"],
    ["an unknown field", (file) => void (file.session["colour"] = "red"), "invalid_body", "session"],
    [
      "a path for a name",
      ({ uploads }) => void (uploads[0]!.name = "../up.csv"),
      "invalid_body",
      "uploads.0.name",
    ],
    [
      "broken base64",
      ({ artifacts }) => void (artifacts[0]!["content_base64"] = "%%"),
      "invalid_body",
      "artifacts.0.content_base64",
    ],
    ["an unknown role", ({ session }) => void (session["roles"] = ["planner", "poet"]), "invalid_roles", ""],
  ])("a file with %s is refused, with the place", async (_what, spoil, code, path) => {
    const file = structuredClone(
      await (theFile ??= sessionWithPast().then(({ session }) => exportOf(session))),
    );
    spoil(file);
    const problem = await problemOf(await importAs("never-made", file));
    expect(problem).toMatchObject({ status: 422, code });
    expect((problem.errors ?? [{ path: "" }]).map((error) => error.path)).toContain(path);
    expect((await call("/v1/sessions/never-made")).status).toBe(404);
  });

  it("refuses a bad id and an unknown session", async () => {
    expect(await problemOf(await importAs("a/b", {}))).toMatchObject({ status: 422, code: "invalid_id" });
    expect(await problemOf(await call("/v1/sessions/nowhere/export"))).toMatchObject({
      code: "session_not_found",
    });
    const { session } = await sessionWithPast();
    const asBob = await call(`/v1/sessions/${session}/export`, { key: "key-of-bob" });
    expect(asBob.status).toBe(404);
  });

  it("exports what can be imported again, and refuses more", async () => {
    const session = await newSession({ roles: ["echo"] });
    const content_base64 = new Uint8Array(13 * 1024 * 1024).fill(7).toBase64();
    await send(session, "here", [{ name: "a.bin", content_base64 }]);
    const file = await exportOf(session);
    expect((await importAs("heavy", file)).status).toBe(201);
    expect((await exportOf("heavy")).uploads[0]!.content_base64 === content_base64).toBe(true);

    await send(session, "and", [{ name: "b.bin", content_base64 }]);
    const problem = await problemOf(await call(`/v1/sessions/${session}/export`));
    expect(problem).toMatchObject({ status: 413, code: "export_too_large" });
    expect(problem.detail).toContain("format=taskweaver");
  });

  it("bounds what one row has to hold", async () => {
    const metadata = { text: "x".repeat(300_000) };
    const problem = await problemOf(await call("/v1/sessions", { json: { metadata } }));
    expect(problem).toMatchObject({ status: 422, code: "invalid_body", errors: [{ path: "metadata" }] });
  });
});

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call, newSession, planned, python, scriptModel, send } from "../../support/workers/api.ts";

it("a session is made with what was asked for, shown, changed and listed", async () => {
  const created = await call("/v1/sessions", {
    json: { roles: ["planner", "echo"], title: "First", metadata: { ticket: 7 } },
  });
  expect(created.status).toBe(201);
  const session = (await created.json()) as { id: string; created_at: string };
  expect(session).toMatchObject({
    roles: ["planner", "echo"],
    title: "First",
    metadata: { ticket: 7 },
    state: "idle",
  });
  expect(new Date(session.created_at).getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(await (await call(`/v1/sessions/${session.id}`)).json()).toEqual(session);
  const changed = await call(`/v1/sessions/${session.id}`, { method: "PATCH", json: { title: "Renamed" } });
  expect(await changed.json()).toMatchObject({ id: session.id, title: "Renamed", metadata: { ticket: 7 } });
  const list = (await (await call("/v1/sessions?limit=1")).json()) as {
    data: { id: string }[];
    next_cursor: string;
  };
  expect(list.data.map(({ id }) => id)).toEqual([session.id]);
});

it("the default roles are the Planner and the CodeInterpreter", async () => {
  const session = await newSession();
  expect(await (await call(`/v1/sessions/${session}`)).json()).toMatchObject({
    roles: ["planner", "code_interpreter"],
  });
  const { data } = (await (await call("/v1/roles")).json()) as {
    data: { name: string; alias: string; intro: string }[];
  };
  expect(data.map(({ name, alias }) => `${name} ${alias}`)).toEqual([
    "code_interpreter CodeInterpreter",
    "code_interpreter_cli_only CLIAgent",
    "code_interpreter_plugin_only PluginOrchestrator",
    "document_retriever DocumentRetriever",
    "echo Echo",
    "image_reader ImageReader",
    "planner Planner",
    "recepta Recepta",
    "task_type_identifier TaskTypeIdentifier",
    "web_search WebSearch",
  ]);
});

it("a deleted session leaves nothing, also not for one of the same id", async () => {
  const id = await newSession({ id: "phoenix" });
  const first = await scriptModel([
    planned("CodeInterpreter", "Keep a secret."),
    python("secret = 'old'\nopen('old.txt', 'w').write('old')"),
    planned("User", "Kept."),
  ]);
  await send(id, `keep ${first.mention}`, [{ name: "upload.txt", content_base64: "YQ==" }]);
  expect((await call(`/v1/sessions/${id}`, { method: "DELETE" })).status).toBe(204);
  expect((await call(`/v1/sessions/${id}`)).status).toBe(404);
  const objects = await env.FILES.list({ prefix: "alice/phoenix/" });
  expect(objects.objects).toEqual([]);

  await newSession({ id });
  expect(await (await call(`/v1/sessions/${id}/rounds`)).json()).toMatchObject({ data: [] });
  const second = await scriptModel([
    planned("CodeInterpreter", "Look."),
    python("import os\n('secret' in dir(), sorted(os.listdir('.')))"),
    planned("User", "Nothing."),
  ]);
  const round = await send(id, `look ${second.mention}`);
  expect(round.post_list[2]!.message).toContain("Value: (False, [])");
});

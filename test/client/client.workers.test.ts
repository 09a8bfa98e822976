import { exports } from "cloudflare:workers";
import { hc } from "hono/client";
import { expect, it } from "vitest";
import type { Api } from "../../src/channels/http/http.ts";
import { ApiError } from "../../src/client/api-error.ts";
import { createClient } from "../../src/client/client.ts";
import { planned, python, scriptModel } from "../support/workers/api.ts";

const worker = (exports as unknown as { default: Fetcher }).default;
const url = "https://taskweaver.test";
const toWorker = ((input: RequestInfo | URL, init?: RequestInit) =>
  worker.fetch(new Request(input as RequestInfo, init))) as typeof fetch;
const api = createClient({ url, key: "key-of-alice", fetch: toWorker });

it("the client sends messages, files and gets what came of them", async () => {
  const { id } = await api.createSession({ title: "By the client" });
  expect(await api.getSession(id)).toMatchObject({ title: "By the client", state: "idle" });
  expect((await api.listSessions({ limit: 1 })).data).toHaveLength(1);
  expect(await api.putFile(id, "a b.txt", "six")).toMatchObject({ size: 3, mime: "text/plain" });
  expect(await (await api.getFile(id, "a b.txt")).text()).toBe("six");
  const { mention } = await scriptModel([
    planned("CodeInterpreter", "Copy it."),
    python("open('out.txt', 'w').write(open('a b.txt').read())"),
    planned("User", "Copied."),
  ]);
  const round = await api.send(id, { message: mention });
  expect(round).toMatchObject({ state: "finished", user_query: `files added: a b.txt.\n${mention}` });
  expect(await api.getRound(id, round.id)).toEqual(round);
  expect((await api.listRounds(id)).data).toEqual([round]);
  const [artifact] = (await api.listArtifacts(id)).data;
  expect(await (await api.getArtifact(id, artifact!.id)).text()).toBe("six");
  await api.deleteSession(id);
  await expect(api.getSession(id)).rejects.toMatchObject({ status: 404, code: "session_not_found" });
});

it("the client tells events as they happen, and from where it was", async () => {
  const { id } = await api.createSession({ roles: ["echo"] });
  const types: string[] = [];
  for await (const { type } of api.stream(id, { message: "hi" })) types.push(type);
  expect(types[0]).toBe("round_start");
  expect(types.at(-1)).toBe("round_end");
  const stop = new AbortController();
  const told: number[] = [];
  for await (const event of api.events(id, { after: 2, signal: stop.signal })) {
    told.push(event.id!);
    if (event.type === "round_end") break;
  }
  expect(told[0]).toBe(3);
  await expect(api.cancelRound(id, "nothing")).rejects.toBeInstanceOf(ApiError);
});

it("the client sends again what got lost, and it is done once", async () => {
  let lost = 0;
  const lossy = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await toWorker(input, init);
    if (lost++ > 0) return response;
    await response.arrayBuffer();
    throw new TypeError("Network connection lost.");
  }) as typeof fetch;
  const { id } = await api.createSession({ roles: ["echo"] });
  const round = await createClient({ url, key: "key-of-alice", fetch: lossy }).send(id, { message: "once" });
  expect(lost).toBe(2);
  expect((await api.listRounds(id)).data.map((each) => each.id)).toEqual([round.id]);
});

it("the client waits for the first one's answer when only the line to it was lost", async () => {
  const { id } = await api.createSession();
  const { mention } = await scriptModel([
    planned("CodeInterpreter", "Wait."),
    python("import time\ntime.sleep(3)"),
    planned("User", "Once."),
  ]);
  let calls = 0;
  const lossy = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const answer = toWorker(input, init);
    if (calls++ > 0) return answer;
    void answer.then((response) => response.arrayBuffer());
    await new Promise((resolve) => setTimeout(resolve, 300));
    throw new TypeError("Network connection lost.");
  }) as typeof fetch;
  const round = await createClient({ url, key: "key-of-alice", fetch: lossy }).send(id, { message: mention });
  expect(round).toMatchObject({ state: "finished" });
  expect(calls).toBeGreaterThan(3);
  expect((await api.listRounds(id)).data.map((each) => each.id)).toEqual([round.id]);
});

it("Hono's client knows the API's types", async () => {
  const client = hc<Api>(url, { fetch: toWorker, headers: { authorization: "Bearer key-of-alice" } });
  const { id } = await api.createSession({ roles: ["echo"] });
  const response = await client.v1.sessions[":id"].$get({ param: { id } });
  const session = await response.json();
  session.state satisfies "idle" | "running";
  expect(session).toMatchObject({ id, roles: ["echo"] });
  const { data } = await (await client.v1.roles.$get()).json();
  data satisfies { name: string }[];
  expect(data.length).toBeGreaterThan(1);
});

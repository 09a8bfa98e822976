import { env } from "cloudflare:workers";
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createEmbedders } from "../../../src/embedders.ts";
import { createD1Experiences } from "../../../src/experience/d1-experiences.ts";
import worker from "../../../src/index.ts";
import { call, newSession, planned, scriptModel, send } from "../../support/workers/api.ts";

interface Experience {
  id: string;
  role: string | null;
  sub_path: string;
  state: string;
  source: string;
  kind: string;
  experience_text: string;
  error: string | null;
  merged_into: string | null;
  session_id: string | null;
}

const bob = { key: "key-of-bob" };

async function make(body: object): Promise<Experience> {
  const response = await call("/v1/experiences", { json: body });
  expect(response.status).toBe(201);
  return (await response.json()) as Experience;
}

async function search(body: object, who: { key?: string } = {}) {
  const response = await call("/v1/experiences/search", { json: body, ...who });
  expect(response.status).toBe(200);
  return (
    (await response.json()) as {
      data: { id: string; score: number; experience_text: string; sub_path: string }[];
    }
  ).data;
}

const get = async (id: string) => (await (await call(`/v1/experiences/${id}`)).json()) as Experience;

/** What the cron does, as if it were so much later. */
async function cron(laterMs = 0): Promise<void> {
  const context = createExecutionContext();
  const controller = createScheduledController({
    scheduledTime: new Date(Date.now() + laterMs),
    cron: "*/5 * * * *",
  });
  await worker.scheduled(controller, env);
  await waitOnExecutionContext(context);
}

async function until(id: string, state: string): Promise<Experience> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await get(id);
    if (found.state === state) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`It is ${(await get(id)).state}.`);
}

describe("a tenant's lessons", () => {
  it("are made, found, changed, listed and deleted", async () => {
    const text = "Invoices of suppliers carry the tax number in the footer.";
    const made = await make({ experience_text: text, role: "planner" });
    expect(made).toMatchObject({
      role: "planner",
      sub_path: "",
      state: "ready",
      source: "own",
      kind: "handcrafted",
    });
    expect(await get(made.id)).toEqual(made);

    const [first] = await search({ query: "where is the tax number on an invoice?", role: "planner" });
    expect(first).toMatchObject({ id: made.id, experience_text: text, sub_path: "" });
    expect(first!.score).toBeGreaterThan(0.2);
    expect((await search({ query: "tax number on an invoice" })).map(({ id }) => id)).toContain(made.id);
    const ofOther = await search({ query: "tax number on an invoice", role: "code_generator" });
    expect(ofOther.map(({ id }) => id)).not.toContain(made.id);

    const change = { experience_text: "Ostriches run faster than emus.", sub_path: "birds/large" };
    const changed = await call(`/v1/experiences/${made.id}`, { method: "PUT", json: change });
    expect(await changed.json()).toMatchObject({ id: made.id, role: "planner", ...change });
    expect(
      (await search({ query: "fast ostriches", role: "planner", sub_path: "birds/large" }))[0],
    ).toMatchObject({
      id: made.id,
    });
    // The folder above doesn't have it, nor does the old text stand.
    for (const folder of [undefined, "birds"]) {
      const found = await search({ query: "ostriches, tax number", role: "planner", sub_path: folder });
      expect(found.map(({ id }) => id)).not.toContain(made.id);
    }

    const listed = (await (await call("/v1/experiences?limit=100")).json()) as { data: Experience[] };
    expect(listed.data.map(({ id }) => id)).toContain(made.id);
    expect(listed.data.at(-1)).toMatchObject({ id: "experience/csv_numbers", source: "project" });
    expect((await call(`/v1/experiences/${made.id}`, { method: "DELETE" })).status).toBe(204);
    expect((await call(`/v1/experiences/${made.id}`)).status).toBe(404);
    expect(await search({ query: "fast ostriches", role: "planner", sub_path: "birds/large" })).toEqual([]);
  });

  it("are nobody else's", async () => {
    const secret = await make({ experience_text: "The vault opens at seven zebra." });
    expect((await search({ query: "when does the zebra vault open?" }))[0]!.id).toBe(secret.id);
    expect(
      (await search({ query: "when does the zebra vault open?" }, bob)).map(({ id }) => id),
    ).not.toContain(secret.id);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const init = method === "PUT" ? { json: { experience_text: "mine" } } : {};
      expect((await call(`/v1/experiences/${secret.id}`, { method, ...bob, ...init })).status).toBe(404);
    }
    const list = await (await call("/v1/experiences?limit=100", bob)).text();
    const files = await (await call("/v1/experiences/export", bob)).text();
    expect(list + files).not.toContain("zebra");
    // The store itself doesn't rely on the routes' having looked.
    const { lexical } = createEmbedders({ kind: "lexical" }, {});
    const store = createD1Experiences({ database: env.DB, tenant: "bob", projectOwners: [], lexical });
    expect(await store.update(secret.id, { text: "mine" })).toBeUndefined();
    expect(await store.remove(secret.id)).toBe(false);
    expect((await get(secret.id)).experience_text).toContain("zebra");
  });

  it("stand beside the project's, which everybody sees and nobody changes", async () => {
    for (const who of [{}, bob]) {
      const [found] = await search(
        { query: "numbers of a csv with thousands separators", role: "code_interpreter" },
        who,
      );
      expect(found).toMatchObject({ id: "experience/csv_numbers" });
    }
    for (const method of ["DELETE", "PUT"]) {
      const init = method === "PUT" ? { json: { experience_text: "changed" } } : {};
      const response = await call("/v1/experiences/experience/csv_numbers", { method, ...init });
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        409,
        "experience_of_project",
      ]);
    }
  });

  it("are paged", async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 5; n++)
      ids.add((await make({ experience_text: `Page ${n}.`, sub_path: "paged" })).id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: { data: Experience[]; next_cursor: string | null } = await (
        await call(
          `/v1/experiences?sub_path=paged&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
      ).json();
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(ids);
  });

  it.each([
    [{ experience_text: "" }, "invalid_body"],
    [{ experience_text: "x", sub_path: "../up" }, "invalid_body"],
    [{ experience_text: "x", sub_path: "/etc" }, "invalid_body"],
    [{ experience_text: "x", sub_path: "a\\b" }, "invalid_body"],
    [{ experience_text: "x", role: "nobody" }, "invalid_roles"],
    [{ text: "x" }, "invalid_body"],
  ])("are refused as %j", async (body, code) => {
    const response = await call("/v1/experiences", { json: body });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, code]);
  });
});

describe("a session", () => {
  it("becomes a lesson, drawn by the model in the background", async () => {
    const session = await newSession();
    const script = await scriptModel([
      planned("User", "done"),
      { text: "For greetings: answer at once, gnu." },
    ]);
    await send(session, `greet the gnu ${script.mention}`);
    const response = await call(`/v1/sessions/${session}/experience`, {
      json: { sub_path: "animals", role: "planner" },
    });
    expect(response.status).toBe(202);
    const saved = (await response.json()) as Experience;
    expect(response.headers.get("location")).toBe(`/v1/experiences/${saved.id}`);
    expect(saved).toMatchObject({
      state: "pending",
      kind: "learned",
      session_id: session,
      sub_path: "animals",
    });

    const ready = await until(saved.id, "ready");
    expect(ready.experience_text).toBe("For greetings: answer at once, gnu.");
    expect((await search({ query: "greet a gnu", role: "planner", sub_path: "animals" }))[0]!.id).toBe(
      saved.id,
    );
    const record = (await script.requests())[1]!.messages[1]!.content;
    expect(record).toContain("greet the gnu");
    // Thin: the plan is in it, the rest isn't; nor are ids.
    expect(record).toContain("1. do it");
    expect(record).not.toMatch(/plan_reasoning|"id"/);

    // It stays when its session goes.
    await call(`/v1/sessions/${session}`, { method: "DELETE" });
    expect((await get(saved.id)).state).toBe("ready");
  });

  it("is tried again when the model fails, and says so meanwhile", async () => {
    const session = await newSession();
    const refusal = { status: 400 };
    const script = await scriptModel([
      planned("User", "done"),
      refusal,
      { text: "" },
      { text: "A lesson at last." },
    ]);
    await send(session, `hello ${script.mention}`);
    const saved = (await (
      await call(`/v1/sessions/${session}/experience`, { json: {} })
    ).json()) as Experience;
    const failed = await until(saved.id, "failed");
    expect(failed.error).toMatch(/answered 400/);
    await cron();
    expect((await get(saved.id)).error).toMatch(/answered 400/);
    await cron(2 * 60_000);
    expect((await get(saved.id)).error).toMatch(/empty lesson/);
    await cron(10 * 60_000);
    expect(await get(saved.id)).toMatchObject({
      state: "ready",
      error: null,
      experience_text: "A lesson at last.",
    });
  });

  it("that teaches what is known already is merged", async () => {
    const known = await make({ experience_text: "For greetings in Latin: say salve.", sub_path: "latin" });
    const session = await newSession();
    const script = await scriptModel([
      planned("User", "salve"),
      { text: "For greetings in Latin, say: salve!" },
    ]);
    await send(session, `greet me in Latin ${script.mention}`);
    const saved = (await (
      await call(`/v1/sessions/${session}/experience`, { json: { sub_path: "latin" } })
    ).json()) as Experience;
    expect(await until(saved.id, "merged")).toMatchObject({ merged_into: known.id });
    expect(await search({ query: "greetings in Latin", sub_path: "latin" })).toHaveLength(1);
  });

  it("that isn't there, or in which nothing has ended, is refused", async () => {
    expect((await call("/v1/sessions/nowhere/experience", { json: {} })).status).toBe(404);
    const empty = await newSession();
    expect((await call(`/v1/sessions/${empty}/experience`, { json: {} })).status).toBe(409);
    expect((await call(`/v1/sessions/${empty}/experience`, { json: {}, ...bob })).status).toBe(404);
    const outside = await call(`/v1/sessions/${empty}/experience`, { json: { sub_path: "../x" } });
    expect(outside.status).toBe(422);
  });
});

describe("feedback", () => {
  it("is kept with its round", async () => {
    const session = await newSession();
    const script = await scriptModel([planned("User", "done")]);
    const { id } = await send(session, `hello ${script.mention}`);
    const give = (round: string, json: object, who = {}) =>
      call(`/v1/sessions/${session}/rounds/${round}/feedback`, { json, ...who });
    expect((await give(id, { score: 1 })).status).toBe(204);
    expect((await give(id, { score: -0.5, note: "too long" })).status).toBe(204);
    const round = await (await call(`/v1/sessions/${session}/rounds/${id}`)).json();
    expect(round).toMatchObject({ feedback: { score: -0.5, note: "too long" } });
    expect((await give("nowhere", { score: 1 })).status).toBe(404);
    expect((await give(id, { score: 1 }, bob)).status).toBe(404);
    expect((await give(id, { score: "good" })).status).toBe(422);

    const exported = await (await call(`/v1/sessions/${session}/export`)).json();
    const imported = await call("/v1/sessions/import?id=feedback-copy", { json: exported });
    expect(imported.status).toBe(201);
    const copy = await (await call(`/v1/sessions/feedback-copy/rounds/${id}`)).json();
    expect(copy).toMatchObject({ feedback: { score: -0.5, note: "too long" } });
  });
});

describe("files", () => {
  const yaml = "exp_id: it_em\nexperience_text: |\n  Two\n  lines: with a colon.\n";

  it("come back as they went", async () => {
    const raw = JSON.stringify({
      id: "conv-1",
      enabled: true,
      plugins: [],
      roles: [],
      rounds: [{ id: "round-1", user_query: "count", state: "finished", post_list: [] }],
    });
    const files = [
      { role: "planner", path: "types/one/handcrafted_exp_it_em.yaml", content: yaml },
      {
        role: "planner",
        path: "types/two/handcrafted_exp_it_em.yaml",
        content: yaml.replace("Two", "Three"),
      },
      { path: "types/raw_exp_9.yaml", content: raw },
      {
        path: "types/exp_9.yaml",
        content: "exp_id: 9\nexperience_text: Counted.\nembedding_model: m\nembedding: [1, 2]\n",
      },
      { path: "types/README.yaml", content: "not: a lesson" },
    ];
    const put = async (who: object, given: object[]) =>
      (await (await call("/v1/experiences/import", { json: { files: given }, ...who })).json()) as object;
    const written = async (who: object) => {
      const { files: all } = (await (await call("/v1/experiences/export", who)).json()) as {
        files: { role: string; path: string; content: string }[];
      };
      return all.filter(({ path }) => path.startsWith("types/"));
    };
    expect(await put({}, files)).toEqual({ imported: 3 });
    const first = await written({});
    expect(first.map(({ role, path }) => [role, path])).toEqual([
      [null, "types/raw_exp_9.yaml"],
      [null, "types/exp_9.yaml"],
      ["planner", "types/one/handcrafted_exp_it_em.yaml"],
      ["planner", "types/two/handcrafted_exp_it_em.yaml"],
    ]);
    // Again into the same place, and into another tenant's: the same, to the byte.
    await put({}, first);
    expect(await written({})).toEqual(first);
    await put(bob, first);
    expect(await written(bob)).toEqual(first);
    const [found] = await search({ query: "lines with a colon", role: "planner", sub_path: "types/two" });
    expect(found!.experience_text).toBe("Three\nlines: with a colon.\n");
    // Where its name is taken it can't be moved to.
    const moved = await call(`/v1/experiences/${found!.id}`, {
      method: "PUT",
      json: { sub_path: "types/one" },
    });
    expect([moved.status, ((await moved.json()) as { code: string }).code]).toEqual([
      409,
      "experience_exists",
    ]);
  });

  it.each([
    [{ path: "../exp_1.yaml", content: yaml }, /path within the base folder/],
    [{ path: "exp_1.yaml", content: "exp_id: 1\n" }, /exp_1\.yaml: experience_text: /],
    [{ path: "exp_1.yaml", content: "a: [" }, /exp_1\.yaml: /],
  ])("are refused: %j", async (file, message) => {
    const response = await call("/v1/experiences/import", { json: { files: [file] } });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { detail: string }).detail).toMatch(message);
  });
});

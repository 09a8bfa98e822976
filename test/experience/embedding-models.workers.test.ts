import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createEmbedders } from "../../src/embedders.ts";
import { createWorkersAiEmbedder } from "../../src/embeddings/workers-ai/index.ts";
import { createD1Experiences } from "../../src/experience/d1-experiences.ts";
import { createD1LessonSource } from "../../src/experience/d1-lesson-source.ts";
import { embedAgain } from "../../src/experience/embed-again.ts";

const service = { apiKey: "k", baseUrl: (env as unknown as { OPENAI_BASE_URL: string }).OPENAI_BASE_URL };
const openai = (model: string) => createEmbedders({ kind: "openai", model, service }, {});
const withoutService = () => createEmbedders({ kind: "lexical" }, {});

let tenants = 0;

/** A tenant with one lesson, as a deployment with some embedding model sees it. */
async function tenantWith(text: string) {
  const tenant = `embedding-${++tenants}`;
  const { lexical } = withoutService();
  const store = createD1Experiences({ database: env.DB, tenant, projectOwners: [], lexical });
  const { id } = await store.add({ role: null, subPath: "", text });
  return {
    id,
    name: tenant,
    store,
    /** How near the lesson is to a query. */
    async score(query: string, embedders: ReturnType<typeof openai>) {
      const source = createD1LessonSource({
        database: env.DB,
        tenant,
        foldersOf: () => [],
        embedders,
        onMissing: () => {},
      });
      return (await source.find({ role: "planner", query, subPath: "", limit: 1 })).lessons[0]!.score;
    },
    async embeddedBy() {
      const { results } = await env.DB.prepare("SELECT model FROM experiences WHERE id = ?").bind(id).all();
      return results[0]!.model;
    },
  };
}

it("a lesson is found by its words at once, by its meaning when the model has embedded it", async () => {
  const tenant = await tenantWith("Check the oil of the car.");
  const first = openai("first");
  expect(await tenant.score("oil for my car", first)).toBeGreaterThan(0.4);
  expect(await tenant.score("automobile", first)).toBeLessThan(0.1);
  expect(await embedAgain(env.DB, first)).toBeGreaterThan(0);
  expect(await tenant.embeddedBy()).toBe("openai:first");
  expect(await tenant.score("automobile", first)).toBeGreaterThan(0.3);
  // Nothing is left to do.
  expect(await embedAgain(env.DB, first)).toBe(0);

  // Edited, it is another text: the old vector serves no more, and a new one is made.
  await tenant.store.update(tenant.id, { text: "Ask the doctor." });
  expect(await tenant.score("automobile", first)).toBeLessThan(0.1);
  await embedAgain(env.DB, first);
  expect(await tenant.score("physician", first)).toBeGreaterThan(0.3);
});

it("when the model changes the old vectors serve until new ones are made", async () => {
  const tenant = await tenantWith("Rate the movie.");
  await embedAgain(env.DB, openai("first"));
  const second = openai("second");
  expect(await tenant.score("film", second)).toBeGreaterThan(0.3);
  expect(await tenant.embeddedBy()).toBe("openai:first");
  await embedAgain(env.DB, second);
  expect(await tenant.embeddedBy()).toBe("openai:second");
  expect(await tenant.score("film", second)).toBeGreaterThan(0.3);
});

it("a folder of hundreds is embedded anew, chunks and all", async () => {
  const tenant = await tenantWith("Wash the automobile.");
  const lessons = Array.from({ length: 700 }, (_, n) => ({
    id: `n${n}`,
    kind: "handcrafted" as const,
    role: null,
    subPath: "",
    text: `Form ${n} of kind ${n % 7}.`,
  }));
  await tenant.store.putAll(lessons);
  const models = async () => {
    const { results } = await env.DB.prepare(
      "SELECT DISTINCT model FROM experience_chunks WHERE owner LIKE ?",
    )
      .bind(`tenant:${tenant.name}`)
      .all();
    return results.map(({ model }) => model);
  };
  for (const model of ["first", "second"]) {
    await embedAgain(env.DB, openai(model));
    // Of the old model's chunks none is left, so that it needn't be asked again.
    expect(await models()).toEqual([`openai:${model}`]);
    expect(await tenant.score("car wash", openai(model))).toBeGreaterThan(0.3);
  }
});

it("a model that can't be asked, or never again, leaves the words", async () => {
  const tenant = await tenantWith("Rate the movie.");
  await embedAgain(env.DB, openai("first"));
  expect(await tenant.score("rating of a movie", withoutService())).toBeGreaterThan(0.4);
  await env.DB.prepare("UPDATE experiences SET model = 'openai:down' WHERE id = ?").bind(tenant.id).run();
  expect(await tenant.score("rating of a movie", openai("down"))).toBeGreaterThan(0.4);
  await expect(embedAgain(env.DB, openai("down"))).rejects.toThrow(/gave no embeddings by "down"/);
});

it("Workers AI is asked through its binding", async () => {
  const asked: unknown[] = [];
  const ai = {
    async run(model: string, input: { text: string[] }) {
      asked.push([model, input.text.length]);
      return { shape: [input.text.length, 2], data: input.text.map((text) => [text.length, 1]) };
    },
  };
  const { current } = createEmbedders({ kind: "workers-ai", model: "@cf/baai/bge-m3" }, { AI: ai });
  expect(current.model).toBe("workers-ai:@cf/baai/bge-m3");
  const vectors = await current.embed(Array.from({ length: 101 }, (_, n) => "x".repeat(n)));
  expect(vectors).toHaveLength(101);
  expect([...vectors[100]!]).toEqual([100, 1]);
  expect(asked).toEqual([
    ["@cf/baai/bge-m3", 100],
    ["@cf/baai/bge-m3", 1],
  ]);
  const refusing = createWorkersAiEmbedder({ ai: { run: async () => ({}) }, model: "m" });
  await expect(refusing.embed(["a"])).rejects.toThrow(/no embeddings by "m"/);
  expect(() => createEmbedders({ kind: "workers-ai", model: "m" }, {})).toThrow(/no binding AI/);
});

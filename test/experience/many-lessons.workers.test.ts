import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createEmbedders } from "../../src/embedders.ts";
import { chunkLessons } from "../../src/experience/d1-chunks.ts";
import { createD1Experiences } from "../../src/experience/d1-experiences.ts";
import { createD1LessonSource } from "../../src/experience/d1-lesson-source.ts";
import type { CompiledFolder } from "../../src/experience/experience.ts";
import { syncFolder } from "../../src/experience/sync-folder.ts";
import { countD1 } from "../../src/lib/count-d1.ts";

const embedders = createEmbedders({ kind: "lexical" }, {});

const subjects = "invoice ledger ticket parcel sensor contract shipment payroll survey audit".split(" ");
const verbs = "merge split rename validate archive translate forecast sample round compare".split(" ");
const details = "customs weekly broken foreign nightly legacy duplicate urgent partial signed".split(" ");
const places = "Oslo Lima Cairo Quito Hanoi Turin Perth Dakar Busan Tunis".split(" ");
/** Ten thousand lessons, each about something of its own. */
const textOf = (n: number) => {
  const [a, b, c, d] = [n, n / 10, n / 100, n / 1000].map((part) => Math.floor(part) % 10);
  return `To ${verbs[a!]} each ${details[b!]} ${subjects[c!]} of the office in ${places[d!]}, look at form ${n} first and ask whoever filed it before anything is changed.`;
};
const questionOf = (n: number) => {
  const [a, b, c, d] = [n, n / 10, n / 100, n / 1000].map((part) => Math.floor(part) % 10);
  return `please ${verbs[a!]} the ${details[b!]} ${subjects[c!]}s for ${places[d!]}`;
};

function folderOf(count: number): CompiledFolder {
  const lessons = Array.from({ length: count }, (_, n) => ({
    id: String(n),
    kind: "handcrafted",
    subPath: "",
    text: textOf(n),
  }));
  return { hash: `many-${count}`, subPaths: [], lessons: JSON.stringify(lessons) };
}

function sourceOf(folder: CompiledFolder | undefined) {
  const count = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  const missing: string[] = [];
  const source = createD1LessonSource({
    database: countD1(env.DB, count),
    tenant: "many",
    foldersOf: () => (folder ? [{ name: "many", compiled: folder }] : []),
    embedders,
    onMissing: ({ name }) => missing.push(name),
  });
  return { source, count, missing };
}

/** What the docs' table says of the cost. */
const most: Record<number, { roundTrips: number; rowsRead: number }> = {
  10: { roundTrips: 1, rowsRead: 25 },
  1000: { roundTrips: 2, rowsRead: 350 },
  10_000: { roundTrips: 2, rowsRead: 350 },
};

describe("a folder of many lessons", () => {
  it.each([10, 1000, 10_000])(
    "of %i is searched without reading them all, and the right ones are found",
    async (size) => {
      const folder = folderOf(size);
      const { source, count, missing } = sourceOf(folder);
      await syncFolder(env.DB, { name: "many", compiled: folder }, embedders.lexical);

      let right = 0;
      const questions = Array.from({ length: 20 }, (_, index) => Math.floor((index * size) / 20));
      for (const n of questions) {
        Object.assign(count, { roundTrips: 0, rowsRead: 0 });
        const { lessons } = await source.find({
          role: "planner",
          query: questionOf(n),
          subPath: "",
          limit: 5,
        });
        if (lessons[0]!.text === textOf(n)) right += 1;
        expect(count.roundTrips).toBe(most[size]!.roundTrips);
        expect(count.rowsRead).toBeLessThanOrEqual(most[size]!.rowsRead);
      }
      expect(missing).toEqual([]);
      expect(right).toBeGreaterThanOrEqual(size === 10 ? 20 : 19);
    },
  );

  it("is found in from the first moment, before it is in the database", async () => {
    const folder = { ...folderOf(50), hash: "not-synced" };
    const { source, missing } = sourceOf(folder);
    const { lessons } = await source.find({ role: "planner", query: questionOf(7), subPath: "", limit: 5 });
    expect(lessons[0]!.text).toBe(textOf(7));
    expect(missing).toEqual(["many"]);
  });
});

describe("a tenant's own lessons", () => {
  it("are found in chunks and out of them, as they are now", async () => {
    const store = createD1Experiences({
      database: env.DB,
      tenant: "many",
      projectOwners: [],
      lexical: embedders.lexical,
    });
    const { source, count } = sourceOf(undefined);
    await store.putAll(
      Array.from({ length: 400 }, (_, n) => ({
        id: String(n),
        kind: "handcrafted",
        role: null,
        subPath: "own",
        text: textOf(n),
      })),
    );
    const find = async (query: string) =>
      (await source.find({ role: "planner", query, subPath: "own", limit: 5 })).lessons;
    await chunkLessons(env.DB, { owner: "tenant:many", shelf: "all", subPath: "own" });
    const [found] = await find(questionOf(123));
    expect(found!.text).toBe(textOf(123));
    expect(count).toMatchObject({ roundTrips: 2 });
    expect(count.rowsRead).toBeLessThan(350);

    await store.update(found!.id, { text: "Giraffes like acacia leaves." });
    expect((await find(questionOf(123))).map(({ text }) => text)).not.toContain(textOf(123));
    expect((await find("what do giraffes like?"))[0]!.id).toBe(found!.id);
    await store.remove(found!.id);
    expect((await find("what do giraffes like?")).map(({ id }) => id)).not.toContain(found!.id);

    // Moved to another folder, and into a chunk there, it isn't found in the old one any more.
    const [mover] = await find(questionOf(45));
    await store.update(mover!.id, { subPath: "elsewhere" });
    await env.DB.prepare("UPDATE experiences SET chunk = 1 WHERE id = ?").bind(mover!.id).run();
    expect((await find(questionOf(45))).map(({ id }) => id)).not.toContain(mover!.id);

    const added = await store.add({ role: "planner", subPath: "own", text: "Pandas like bamboo." });
    expect((await find("what do pandas like?"))[0]!.id).toBe(added.id);
  });
});

import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { createEmbedders } from "../../src/embedders.ts";
import { drawLessons } from "../../src/experience/draw-lessons.ts";
import { dropOldFolders } from "../../src/experience/drop-old-folders.ts";
import type { CompiledExperience } from "../../src/experience/experience.ts";
import { ownerOfFolder } from "../../src/experience/shelf.ts";
import { syncFolder } from "../../src/experience/sync-folder.ts";

const { lexical } = createEmbedders({ kind: "lexical" }, {});

/** A folder of the project in one of its versions. */
const folder = (version: string, lessons: CompiledExperience[]) => ({
  name: "lessons",
  compiled: { hash: version, subPaths: [], lessons: JSON.stringify(lessons) },
});
const written = (id: string, text: string): CompiledExperience => ({
  id,
  kind: "handcrafted",
  subPath: "",
  text,
});
const saved = (id: string, query: string): CompiledExperience => ({
  id,
  kind: "learned",
  subPath: "",
  text: "",
  conversation: { rounds: [{ id: "round-1", user_query: query, state: "finished", post_list: [] }] },
});

async function rowsOf(version: string) {
  const { results } = await env.DB.prepare(
    "SELECT id, state, text, model FROM experiences WHERE owner = ? ORDER BY id",
  )
    .bind(ownerOfFolder(folder(version, [])))
    .all();
  return results.map(({ id, state, text, model }) => [id, state, text, model].join(" | "));
}

it("a new version of a folder takes over what didn't change, and the old one goes when nobody serves it", async () => {
  const drawn: unknown[] = [];
  const draw = (now: number) =>
    drawLessons({
      database: env.DB,
      now,
      lexical,
      draw: async ({ rounds }) => {
        drawn.push(rounds[0]!.user_query);
        return `Learned from ${rounds[0]!.user_query as string}.`;
      },
      lessonsOf: () => undefined,
    });

  const first = folder("v1", [
    written("a", "Same."),
    written("b", "Old."),
    saved("c", "tea"),
    saved("d", "milk"),
  ]);
  await syncFolder(env.DB, first, lexical);
  expect(await rowsOf("v1")).toContain("lessons/c | pending |  | lexical:1");
  await draw(Date.now());
  await env.DB.prepare("UPDATE experiences SET model = 'openai:m' WHERE state = 'ready'").run();
  expect(await rowsOf("v1")).toEqual([
    "lessons/a | ready | Same. | openai:m",
    "lessons/b | ready | Old. | openai:m",
    "lessons/c | ready | Learned from tea. | openai:m",
    "lessons/d | ready | Learned from milk. | openai:m",
  ]);

  const second = folder("v2", [
    written("a", "Same."),
    written("b", "New."),
    saved("c", "tea"),
    saved("d", "coffee"),
  ]);
  await syncFolder(env.DB, second, lexical);
  // Done once more, it changes nothing.
  await syncFolder(env.DB, second, lexical);
  await draw(Date.now());
  expect(await rowsOf("v2")).toEqual([
    "lessons/a | ready | Same. | openai:m",
    "lessons/b | ready | New. | lexical:1",
    "lessons/c | ready | Learned from tea. | openai:m",
    "lessons/d | ready | Learned from coffee. | lexical:1",
  ]);
  expect(drawn.toSorted()).toEqual(["coffee", "milk", "tea"]);

  // Both versions of the Worker may be live for a while.
  const day = 24 * 3600_000;
  await dropOldFolders(env.DB, [ownerOfFolder(second)], Date.now());
  expect(await rowsOf("v1")).toHaveLength(4);
  await dropOldFolders(env.DB, [ownerOfFolder(second)], Date.now() + day + 1000);
  expect(await rowsOf("v1")).toEqual([]);
  expect(await rowsOf("v2")).toHaveLength(4);
});

it("a lesson that can't be drawn is given up after a while", async () => {
  // Each failure is logged.
  vi.spyOn(console, "error").mockImplementation(() => {});
  await syncFolder(env.DB, folder("v3", [saved("x", "nothing")]), lexical);
  let tries = 0;
  const options = {
    database: env.DB,
    lexical,
    lessonsOf: () => undefined,
    draw: async () => {
      tries += 1;
      throw new Error("secret of the server");
    },
  };
  for (let hours = 0; hours < 24; hours++)
    await drawLessons({ ...options, now: Date.now() + hours * 3600_000 });
  expect(tries).toBe(8);
  const { results } = await env.DB.prepare(
    "SELECT state, error, due_at FROM experiences WHERE id = 'lessons/x'",
  ).all();
  expect(results).toEqual([{ state: "failed", error: "The lesson could not be drawn.", due_at: null }]);
});

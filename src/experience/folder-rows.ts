import type { Embedder } from "../embeddings/embedder.ts";
import { packVector } from "../embeddings/vector.ts";
import { sha256Hex } from "../lib/digest.ts";
import type { CompiledExperience, CompiledFolder } from "./experience.ts";
import { ownerOfFolder, type ProjectFolder } from "./shelf.ts";
import type { experiences } from "./tables.ts";

export type ExperienceRow = typeof experiences.$inferInsert;

const made = new WeakMap<CompiledFolder, Promise<ExperienceRow[]>>();

/**
 * The lessons of a folder of the project as rows, with lexical vectors: those can be made at once, better ones follow
 * in the background. Read and made once an isolate, when they are first wanted.
 */
export function rowsOfFolder(folder: ProjectFolder, lexical: Embedder): Promise<ExperienceRow[]> {
  let rows = made.get(folder.compiled);
  if (!rows) made.set(folder.compiled, (rows = makeRows(folder, lexical)));
  return rows;
}

async function makeRows(folder: ProjectFolder, lexical: Embedder): Promise<ExperienceRow[]> {
  const lessons = JSON.parse(folder.compiled.lessons) as CompiledExperience[];
  const vectors = await lexical.embed(lessons.map(({ text }) => text));
  const now = Date.now();
  return Promise.all(
    lessons.map(async ({ id, kind, subPath, text, conversation }, index): Promise<ExperienceRow> => {
      const isPending = text === "";
      return {
        owner: ownerOfFolder(folder),
        // Names the lesson to people: where its file is.
        id: [folder.name, subPath, id].filter((part) => part !== "").join("/"),
        shelf: folder.name,
        subPath,
        expId: id,
        kind,
        state: isPending ? "pending" : "ready",
        attempts: 0,
        dueAt: isPending ? now : null,
        sourceHash: await sha256Hex(conversation ? JSON.stringify(conversation) : text),
        model: lexical.model,
        vector: packVector(vectors[index]!),
        text,
        raw: conversation ?? null,
        createdAt: now,
        updatedAt: now,
      };
    }),
  );
}

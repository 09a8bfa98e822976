import type { Embedders } from "../embeddings/embedder.ts";
import { embedAgain } from "./embed-again.ts";
import type { ProjectFolder } from "./shelf.ts";
import { ownerOfFolder } from "./shelf.ts";
import { syncFolder } from "./sync-folder.ts";

/** What is done for lessons while nobody waits for it. What fails is tried again by the next one who comes by. */
export interface LessonKeeper {
  /** Brings a folder of the project into the database. */
  syncSoon(folder: ProjectFolder): void;
  /** Lessons have come or changed that are to be embedded by the model. */
  embedSoon(): void;
}

export function createLessonKeeper(options: {
  database: D1Database;
  embedders: Embedders;
  /** Keeps the isolate alive for it. */
  waitUntil(work: Promise<unknown>): void;
}): LessonKeeper {
  const { database, embedders } = options;
  const running = new Map<string, Promise<unknown>>();

  /** One of a kind at a time. */
  function soon(name: string, work: () => Promise<unknown>): void {
    if (running.has(name)) return;
    const done = work()
      .catch((error: unknown) => console.warn(`Lessons: "${name}" failed and will be tried again.`, error))
      .finally(() => running.delete(name));
    running.set(name, done);
    options.waitUntil(done);
  }

  const embedSoon = () => {
    if (embedders.current !== embedders.lexical) soon("embed", () => embedAgain(database, embedders));
  };

  return {
    syncSoon: (folder) =>
      soon(`sync ${ownerOfFolder(folder)}`, async () => {
        await syncFolder(database, folder, embedders.lexical);
        embedSoon();
      }),
    embedSoon,
  };
}

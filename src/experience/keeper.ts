import type { D1Database } from "@cloudflare/workers-types";
import type { Embedders } from "../embeddings/embedder.ts";
import { drawLessons } from "./draw-lessons.ts";
import { dropOldFolders } from "./drop-old-folders.ts";
import { embedAgain } from "./embed-again.ts";
import type { RawConversation } from "./experience.ts";
import type { LessonSource } from "./lessons.ts";
import { ownerOfFolder, type ProjectFolder } from "./shelf.ts";
import { syncFolder } from "./sync-folder.ts";

/** What is done for lessons while nobody waits for it. What fails is tried again by the next one who comes by. */
export interface LessonKeeper {
  /** Brings a folder of the project into the database. */
  syncSoon(folder: ProjectFolder): void;
  /** Resolves when all folders of the project are in the database. */
  synced(): Promise<void>;
  /** Lessons have come or changed that are to be embedded by the model. */
  embedSoon(): void;
  /** Conversations have come that lessons are to be drawn from. */
  drawSoon(): void;
  /** Does what is left to do; called from time to time. */
  tend(now: number): Promise<void>;
}

export function createLessonKeeper(options: {
  database: D1Database;
  embedders: Embedders;
  folders: ProjectFolder[];
  draw(raw: RawConversation): Promise<string>;
  lessonsOf(owner: string): LessonSource | undefined;
  /** Keeps the isolate alive for it. */
  waitUntil(work: Promise<unknown>): void;
}): LessonKeeper {
  const { database, embedders, folders, draw, lessonsOf } = options;
  const { lexical } = embedders;
  let allSynced: Promise<void> | undefined;
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

  const embed = () => embedAgain(database, embedders);
  const drawDue = async (now: number) => {
    await drawLessons({ database, now, lexical, draw, lessonsOf });
    await embed();
  };

  return {
    syncSoon: (folder) =>
      soon(`sync ${ownerOfFolder(folder)}`, async () => {
        await syncFolder(database, folder, lexical);
        await embed();
      }),
    synced() {
      allSynced ??= Promise.all(folders.map((folder) => syncFolder(database, folder, lexical))).then(
        () => void soon("embed", embed),
        (error: unknown) => {
          allSynced = undefined;
          throw error;
        },
      );
      return allSynced;
    },
    embedSoon() {
      // A lesson comes with its lexical vector.
      if (embedders.current !== lexical) soon("embed", embed);
    },
    drawSoon: () => soon("draw", () => drawDue(Date.now())),
    async tend(now) {
      await dropOldFolders(database, folders.map(ownerOfFolder), now);
      await drawDue(now);
    },
  };
}

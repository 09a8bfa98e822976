import { and, eq, inArray, isNotNull, or, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Embedders } from "../embeddings/embedder.ts";
import { createQuery, type Query } from "../embeddings/query.ts";
import type { LessonSource } from "./lessons.ts";
import { rankLessons, type LessonRow } from "./rank-lessons.ts";
import { rowsOfFolder } from "./folder-rows.ts";
import { ownerOfFolder, placesFor, type Place, type ProjectFolder } from "./shelf.ts";
import { distances, sketchOf, UNRELATED } from "../embeddings/sketch.ts";
import { experienceChunks, experiences, experienceSyncs } from "./tables.ts";

/** So many are taken from the sketches to be compared exactly. */
const CANDIDATES = 100;
/** Beyond so many, lessons are in chunks sooner or later; the newest are read in any case. */
const MOST_LOOSE = 600;

type ChunkRow = typeof experienceChunks.$inferSelect;

/**
 * Lessons in D1. One batch reads the lessons that stand by themselves and the sketches of the others; where there are
 * sketches, a second one reads the lessons that they show to be near.
 */
export function createD1LessonSource(options: {
  database: D1Database;
  tenant: string;
  /** The project's folders for a role. */
  foldersOf(role: string | undefined): ProjectFolder[];
  embedders: Embedders;
  /** Told of a folder that isn't in the database yet; its lessons are taken from the compiled project meanwhile. */
  onMissing(folder: ProjectFolder): void;
}): LessonSource {
  const { tenant, embedders } = options;
  const db = drizzle(options.database);

  /** The nearest by their sketches. Those whose model can't be asked count as neither near nor far. */
  async function candidates(chunks: ChunkRow[], query: Query): Promise<(Place & { id: string })[]> {
    const near: (Place & { id: string; distance: number })[] = [];
    for (const { owner, shelf, subPath, model, ids, sketches } of chunks) {
      const vector = await query.vectorBy(model);
      const found = vector && distances(sketches, sketchOf(vector));
      for (const [index, id] of ids.entries())
        near.push({ owner, shelf, subPath, id, distance: found?.[index] ?? UNRELATED });
    }
    return near.toSorted((left, right) => left.distance - right.distance).slice(0, CANDIDATES);
  }

  async function readLessons(wanted: { owner: string; id: string }[]) {
    const byOwner = Map.groupBy(wanted, ({ owner }) => owner);
    const [first, ...others] = [...byOwner].map(([owner, those]) =>
      db
        .select({ ...lessonColumns, owner: experiences.owner, shelf: experiences.shelf })
        .from(experiences)
        .where(
          and(
            eq(experiences.owner, owner),
            sql`${experiences.id} IN (SELECT value FROM json_each(${JSON.stringify(those.map(({ id }) => id))}))`,
            sql`chunk IS NOT NULL AND state = 'ready'`,
          ),
        ),
    );
    return first ? (await db.batch([first, ...others])).flat() : [];
  }

  return {
    async find({ role, query: text, subPath, limit }) {
      const folders = role === null ? [] : options.foldersOf(role);
      const places = placesFor({ tenant, role, folders, subPath });
      const [loose, chunks, synced] = await db.batch([
        db
          .select(lessonColumns)
          .from(experiences)
          .where(and(sql`chunk IS NULL AND state = 'ready'`, anyOf(experiences, places)))
          .limit(MOST_LOOSE),
        db.select().from(experienceChunks).where(anyOf(experienceChunks, places)),
        db
          .select({ owner: experienceSyncs.owner })
          .from(experienceSyncs)
          .where(
            and(
              isNotNull(experienceSyncs.syncedAt),
              inArray(experienceSyncs.owner, folders.map(ownerOfFolder)),
            ),
          ),
      ]);
      const query = createQuery(text, embedders);
      const near = await readLessons(await candidates(chunks, query));
      // A chunk remembers a lesson that was moved to another folder or shelf meanwhile.
      const isHere = (row: LessonRow & { owner: string; shelf: string }) =>
        places.some(
          ({ owner, shelf = row.shelf }) =>
            owner === row.owner && shelf === row.shelf && subPath === row.subPath,
        );
      const rows: LessonRow[] = [...loose, ...near.filter(isHere)];
      for (const folder of folders) {
        const owner = ownerOfFolder(folder);
        if (synced.some((row) => row.owner === owner)) continue;
        options.onMissing(folder);
        const known = new Set(rows.map(({ id }) => id));
        const compiled = (await rowsOfFolder(folder, embedders.lexical)).filter(({ id }) => !known.has(id));
        rows.push(...compiled.filter((row) => row.subPath === subPath && row.state === "ready"));
      }
      const inFolders = folders.some(({ compiled }) =>
        compiled.subPaths.some((known) => known === subPath || known.startsWith(`${subPath}/`)),
      );
      return {
        lessons: (await rankLessons(query, rows)).slice(0, limit),
        folderExists: rows.length > 0 || inFolders || subPath === "",
      };
    },
  };
}

const lessonColumns = {
  id: experiences.id,
  text: experiences.text,
  subPath: experiences.subPath,
  model: experiences.model,
  vector: experiences.vector,
};

function anyOf(
  table: typeof experiences | typeof experienceChunks,
  places: ReturnType<typeof placesFor>,
): SQL | undefined {
  return or(
    ...places.map(({ owner, shelf, subPath }) =>
      and(
        eq(table.owner, owner),
        shelf === undefined ? undefined : eq(table.shelf, shelf),
        eq(table.subPath, subPath),
      ),
    ),
  );
}

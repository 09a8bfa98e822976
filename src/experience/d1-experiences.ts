import type { D1Database } from "@cloudflare/workers-types";
import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Embedder } from "../embeddings/embedder.ts";
import { packVector } from "../embeddings/vector.ts";
import { chunk } from "../lib/chunk.ts";
import { sha256Hex } from "../lib/digest.ts";
import { createId } from "../lib/id.ts";
import type { Page } from "../memory/store.ts";
import type { CompiledExperience, Experience, RawConversation } from "./experience.ts";
import type { ExperienceRow } from "./folder-rows.ts";
import { BATCH, insertExperiences, rowSize } from "./insert-experiences.ts";
import { ownerOfTenant, roleOfShelf, shelfOfRole } from "./shelf.ts";
import { experiences } from "./tables.ts";

/** There is a lesson of this name in the place that another one is to be moved to. */
export class ExperienceExistsError extends Error {
  readonly code = "experience_exists";
}

/** Where a lesson belongs, beside its tenant. */
interface Filing {
  role: string | null;
  subPath: string;
}

/**
 * A tenant's own lessons, and a look at those of the project's files, which nobody changes here. Another tenant's are
 * not there.
 */
export interface ExperienceStore {
  add(filing: Filing & { text: string }): Promise<Experience>;
  /**
   * Takes a conversation to draw a lesson from. A name makes it the same lesson however often it is taken; what is there
   * under the name stays.
   */
  addRaw(filing: Filing & { raw: RawConversation; sessionId: string; name?: string }): Promise<Experience>;
  get(id: string): Promise<Experience | undefined>;
  /** Own ones first, newest first. */
  list(page: { cursor?: string; limit: number }, filing?: Partial<Filing>): Promise<Page<Experience>>;
  /** @throws ExperienceExistsError */
  update(id: string, change: Partial<Filing & { text: string }>): Promise<Experience | undefined>;
  remove(id: string): Promise<boolean>;
  /** Puts lessons of files in the place of those that have the same names. */
  putAll(lessons: (CompiledExperience & { role: string | null })[]): Promise<void>;
  /** The tenant's own lessons with all that belongs into files. */
  exportAll(filing: Partial<Filing>): Promise<(Experience & { raw: RawConversation | null })[]>;
}

export function createD1Experiences(options: {
  database: D1Database;
  tenant: string;
  /** Owners of the project's folders. */
  projectOwners: string[];
  lexical: Embedder;
}): ExperienceStore {
  const { database, lexical } = options;
  const db = drizzle(database);
  const owner = ownerOfTenant(options.tenant);
  const owners = [owner, ...options.projectOwners];
  const own = (id: string) => and(eq(experiences.owner, owner), eq(experiences.id, id));

  async function textColumns(text: string) {
    const [vector] = await lexical.embed([text]);
    // The lexical vector serves until the model's follows.
    return { text, model: lexical.model, vector: packVector(vector!), chunk: null };
  }

  async function makeRow(
    given: Filing & { text: string; raw?: RawConversation | undefined; expId?: string; sessionId?: string },
  ): Promise<ExperienceRow> {
    const now = Date.now();
    const id = createId("exp");
    const { role, subPath, text, raw, expId = id, sessionId = null } = given;
    const isPending = text === "";
    return {
      owner,
      id,
      shelf: shelfOfRole(role),
      subPath,
      expId,
      kind: raw ? "learned" : "handcrafted",
      state: isPending ? "pending" : "ready",
      attempts: 0,
      dueAt: isPending ? now : null,
      sourceHash: await sha256Hex(raw ? JSON.stringify(raw) : text),
      ...(await textColumns(text)),
      sessionId,
      createdAt: now,
      updatedAt: now,
      raw: raw ?? null,
    };
  }

  const find = async (where: SQL | undefined) => {
    const [found] = await db.batch([db.select(columns).from(experiences).where(where).limit(1)]);
    return found[0] && toExperience(found[0]);
  };

  const filed = ({ role, subPath }: Partial<Filing>) =>
    and(
      role === undefined ? undefined : eq(experiences.shelf, shelfOfRole(role)),
      subPath === undefined ? undefined : eq(experiences.subPath, subPath),
    );

  return {
    async add(filing) {
      const row = await makeRow(filing);
      await database.batch([insertExperiences(database, [row])]);
      return (await find(own(row.id)))!;
    },

    async addRaw({ name, ...filing }) {
      const row = await makeRow({ ...filing, text: "", ...(name === undefined ? {} : { expId: name }) });
      await database.batch([insertExperiences(database, [row])]);
      return (await find(
        and(
          eq(experiences.owner, owner),
          eq(experiences.shelf, row.shelf),
          eq(experiences.subPath, row.subPath),
          eq(experiences.expId, row.expId),
        ),
      ))!;
    },

    get: (id) => find(and(inArray(experiences.owner, owners), eq(experiences.id, id))),

    async list({ cursor, limit }, filing = {}) {
      const [after, createdAt, ...id] = cursor?.split("~") ?? [];
      const [rows] = await db.batch([
        db
          .select(columns)
          .from(experiences)
          .where(
            and(
              inArray(experiences.owner, owners),
              filed(filing),
              cursor === undefined
                ? undefined
                : sql`(${experiences.owner}, ${experiences.createdAt}, ${experiences.id}) <
                    (${owners[Number(after)] ?? ""}, ${Number(createdAt) || 0}, ${id.join("~")})`,
            ),
          )
          // A tenant's owner sorts behind the project's, so its lessons come first.
          .orderBy(desc(experiences.owner), desc(experiences.createdAt), desc(experiences.id))
          .limit(limit + 1),
      ]);
      const last = rows.slice(0, limit).at(-1);
      const nextCursor =
        rows.length > limit && last
          ? `${owners.indexOf(last.owner)}~${last.createdAt}~${last.id}`
          : undefined;
      return { items: rows.slice(0, limit).map(toExperience), ...(nextCursor ? { nextCursor } : {}) };
    },

    async update(id, { role, subPath, text }) {
      const change = db
        .update(experiences)
        .set({
          updatedAt: Date.now(),
          // What moves or changes leaves its chunk.
          chunk: null,
          ...(role === undefined ? {} : { shelf: shelfOfRole(role) }),
          ...(subPath === undefined ? {} : { subPath }),
          ...(text === undefined
            ? {}
            : { ...(await textColumns(text)), state: "ready", error: null, mergedInto: null, dueAt: null }),
        })
        .where(own(id));
      try {
        await db.batch([change]);
      } catch (error) {
        if (!isTaken(error)) throw error;
        throw new ExperienceExistsError("There is a lesson of the same exp_id in that place already.");
      }
      return find(own(id));
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(experiences).where(own(id)).returning({ id: experiences.id }),
      ]);
      return removed.length > 0;
    },

    async putAll(lessons) {
      const rows: ExperienceRow[] = [];
      for (const { id: expId, role, subPath, kind, text, conversation } of lessons)
        rows.push({ ...(await makeRow({ role, subPath, text, raw: conversation, expId })), kind });
      for (const part of chunk(rows, BATCH, rowSize)) {
        const names = part.map(({ shelf, subPath, expId }) => ({ shelf, subPath, expId }));
        await database.batch([
          database
            .prepare(
              `DELETE FROM experiences WHERE owner = ? AND (shelf, sub_path, exp_id) IN
                 (SELECT value ->> 'shelf', value ->> 'subPath', value ->> 'expId' FROM json_each(?))`,
            )
            .bind(owner, JSON.stringify(names)),
          insertExperiences(database, part),
        ]);
      }
    },

    async exportAll(filing) {
      const [rows] = await db.batch([
        db
          .select({ ...columns, raw: experiences.raw })
          .from(experiences)
          .where(and(eq(experiences.owner, owner), filed(filing), sql`state <> 'merged'`))
          .orderBy(experiences.shelf, experiences.subPath, experiences.expId),
      ]);
      return rows.map(({ raw, ...row }) => ({ ...toExperience(row), raw }));
    },
  };
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes("UNIQUE constraint failed") || isTaken(error.cause));

const columns = {
  owner: experiences.owner,
  id: experiences.id,
  expId: experiences.expId,
  shelf: experiences.shelf,
  subPath: experiences.subPath,
  kind: experiences.kind,
  text: experiences.text,
  state: experiences.state,
  error: experiences.error,
  mergedInto: experiences.mergedInto,
  sessionId: experiences.sessionId,
  createdAt: experiences.createdAt,
  updatedAt: experiences.updatedAt,
};

type Row = Pick<typeof experiences.$inferSelect, keyof typeof columns>;

function toExperience({ owner, shelf, ...row }: Row): Experience {
  return { ...row, role: roleOfShelf(shelf), isOwn: owner.startsWith("tenant:") };
}

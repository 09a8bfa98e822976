import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { chunk } from "../lib/chunk.ts";
import type { Round } from "./round.ts";
import type { Session } from "./session.ts";
import { posts, rounds, sessions } from "./tables.ts";

type RoundRow = typeof rounds.$inferInsert;
type PostRow = typeof posts.$inferInsert;

// D1 binds up to 100 parameters a statement; a round has 12 and a post 9.
const ROUNDS_A_STATEMENT = 8;
const POSTS_A_STATEMENT = 11;
const STATEMENT_CHARACTERS = 1_000_000;
const BATCH_STATEMENTS = 50;
const BATCH_CHARACTERS = 4_000_000;

const roundSize = ({ userQuery }: RoundRow) => userQuery.length;
const postSize = ({ message, attachments }: PostRow) => message.length + JSON.stringify(attachments).length;

/**
 * Rows are written under a name that no session can have, and get their session's with the last batch, which makes the
 * session: what is there before is invisible, and two imports to the same id can't mix.
 */
export async function importIntoD1(
  db: DrizzleD1Database,
  session: Session,
  imported: Round[],
): Promise<boolean> {
  const { state: _derived, ...row } = session;
  const madeBy = crypto.randomUUID();
  const { tenant, id } = session;
  const stagedId = `${id}/${madeBy}`;
  const stagedRounds = and(eq(rounds.tenant, tenant), eq(rounds.sessionId, stagedId));
  const stagedPosts = and(eq(posts.tenant, tenant), eq(posts.sessionId, stagedId));
  const theSession = and(eq(sessions.tenant, tenant), eq(sessions.id, id));
  const isMade = sql`EXISTS (SELECT 1 FROM sessions WHERE tenant = ${tenant} AND id = ${id} AND made_by = ${madeBy})`;

  const { roundRows, postRows } = toRows(tenant, stagedId, imported);
  const inserts: { statement: BatchItem<"sqlite">; size: number }[] = [
    ...chunk(roundRows, { count: ROUNDS_A_STATEMENT, size: STATEMENT_CHARACTERS }, roundSize).map(
      (values) => ({
        statement: db.insert(rounds).values(values).onConflictDoNothing(),
        size: total(values, roundSize),
      }),
    ),
    ...chunk(postRows, { count: POSTS_A_STATEMENT, size: STATEMENT_CHARACTERS }, postSize).map((values) => ({
      statement: db.insert(posts).values(values).onConflictDoNothing(),
      size: total(values, postSize),
    })),
  ];

  let isOurs = false;
  try {
    for (const part of chunk(
      inserts,
      { count: BATCH_STATEMENTS, size: BATCH_CHARACTERS },
      ({ size }) => size,
    )) {
      const [first, ...others] = part.map(({ statement }) => statement);
      await db.batch([first!, ...others]);
    }
    const [, , , found] = await db.batch([
      db
        .insert(sessions)
        .values({ ...row, madeBy })
        .onConflictDoNothing(),
      db.update(rounds).set({ sessionId: id }).where(and(stagedRounds, isMade)),
      db.update(posts).set({ sessionId: id }).where(and(stagedPosts, isMade)),
      db.select({ madeBy: sessions.madeBy }).from(sessions).where(theSession),
    ]);
    isOurs = found[0]?.madeBy === madeBy;
    return isOurs;
  } finally {
    // Rows that nobody sees may stay when the database can't be reached; why the import failed matters more.
    if (!isOurs) {
      await db
        .batch([db.delete(rounds).where(stagedRounds), db.delete(posts).where(stagedPosts)])
        .catch(() => {});
    }
  }
}

function toRows(tenant: string, sessionId: string, imported: Round[]) {
  const roundRows: RoundRow[] = [];
  const postRows: PostRow[] = [];
  for (const [index, { posts: ofRound, ...round }] of imported.entries()) {
    const roundSeq = index + 1;
    roundRows.push({ ...round, tenant, sessionId, seq: roundSeq, fence: 0 });
    for (const [seq, post] of ofRound.entries()) postRows.push({ ...post, tenant, sessionId, roundSeq, seq });
  }
  return { roundRows, postRows };
}

function total<Item>(items: Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { chunk } from "../lib/chunk.ts";
import { summaryRows } from "./d1-summaries.ts";
import type { Conversation } from "./store.ts";
import type { Remembered } from "./summary.ts";
import { outsideSignals, posts, rounds, sessions, summaries } from "./tables.ts";

type RoundRow = typeof rounds.$inferInsert;
type PostRow = typeof posts.$inferInsert;
type SignalRow = typeof outsideSignals.$inferInsert;

const STATEMENT_CHARACTERS = 1_000_000;
const BATCH_STATEMENTS = 50;
const BATCH_CHARACTERS = 4_000_000;

type SummaryRow = typeof summaries.$inferInsert;

const roundSize = ({ userQuery }: RoundRow) => userQuery.length;
const postSize = ({ message, attachments }: PostRow) => message.length + JSON.stringify(attachments).length;
const summarySize = ({ text }: SummaryRow) => text.length;
const signalSize = ({ key, value }: SignalRow) => key.length + (value?.length ?? 0);

/**
 * Rows are written under a name that no session can have, and get their session's with the last batch, which makes the
 * session: what is there before is invisible, and two imports to the same id can't mix.
 */
export async function importIntoD1(
  db: DrizzleD1Database,
  conversation: Conversation & Partial<Remembered>,
): Promise<boolean> {
  const { state: _derived, ...row } = conversation.session;
  const madeBy = crypto.randomUUID();
  const { tenant, id } = row;
  const stagedId = `${id}/${madeBy}`;
  const stagedRounds = and(eq(rounds.tenant, tenant), eq(rounds.sessionId, stagedId));
  const stagedPosts = and(eq(posts.tenant, tenant), eq(posts.sessionId, stagedId));
  const stagedSignals = and(eq(outsideSignals.tenant, tenant), eq(outsideSignals.sessionId, stagedId));
  const stagedSummaries = and(eq(summaries.tenant, tenant), eq(summaries.sessionId, stagedId));
  const theSession = and(eq(sessions.tenant, tenant), eq(sessions.id, id));
  const isMade = sql`EXISTS (SELECT 1 FROM sessions WHERE tenant = ${tenant} AND id = ${id} AND made_by = ${madeBy})`;

  const { roundRows, postRows, signalRows } = toRows(tenant, stagedId, conversation);
  const { summaries: ofRoles = [], horizon } = conversation;
  const rememberedRows: SummaryRow[] = summaryRows({ summaries: ofRoles, horizon }).map((each) => ({
    ...each,
    tenant,
    sessionId: stagedId,
  }));
  const inserts = [
    ...statements(roundRows, 7, roundSize, (values) =>
      db.insert(rounds).values(values).onConflictDoNothing(),
    ),
    ...statements(postRows, 10, postSize, (values) => db.insert(posts).values(values).onConflictDoNothing()),
    ...statements(signalRows, 14, signalSize, (values) =>
      db.insert(outsideSignals).values(values).onConflictDoNothing(),
    ),
    ...statements(rememberedRows, 20, summarySize, (values) =>
      db.insert(summaries).values(values).onConflictDoNothing(),
    ),
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
    const [, , , , , found] = await db.batch([
      db
        .insert(sessions)
        .values({ ...row, madeBy })
        .onConflictDoNothing(),
      db.update(rounds).set({ sessionId: id }).where(and(stagedRounds, isMade)),
      db.update(posts).set({ sessionId: id }).where(and(stagedPosts, isMade)),
      db.update(outsideSignals).set({ sessionId: id }).where(and(stagedSignals, isMade)),
      db.update(summaries).set({ sessionId: id }).where(and(stagedSummaries, isMade)),
      db.select({ madeBy: sessions.madeBy }).from(sessions).where(theSession),
    ]);
    isOurs = found[0]?.madeBy === madeBy;
    return isOurs;
  } finally {
    // Rows that nobody sees may stay when the database can't be reached; why the import failed matters more.
    if (!isOurs) {
      await db
        .batch([
          db.delete(rounds).where(stagedRounds),
          db.delete(posts).where(stagedPosts),
          db.delete(outsideSignals).where(stagedSignals),
          db.delete(summaries).where(stagedSummaries),
        ])
        .catch(() => {});
    }
  }
}

/** Inserts of so many rows each: D1 binds up to 100 parameters a statement. */
function statements<Row>(
  rows: Row[],
  count: number,
  sizeOf: (row: Row) => number,
  insert: (rows: Row[]) => BatchItem<"sqlite">,
) {
  return chunk(rows, { count, size: STATEMENT_CHARACTERS }, sizeOf).map((values) => ({
    statement: insert(values),
    size: values.reduce((sum, row) => sum + sizeOf(row), 0),
  }));
}

function toRows(tenant: string, sessionId: string, { rounds: imported, outside }: Conversation) {
  const roundRows: RoundRow[] = [];
  const postRows: PostRow[] = [];
  for (const [index, { posts: ofRound, ...round }] of imported.entries()) {
    const roundSeq = index + 1;
    roundRows.push({ ...round, tenant, sessionId, seq: roundSeq, fence: 0 });
    for (const [seq, post] of ofRound.entries()) postRows.push({ ...post, tenant, sessionId, roundSeq, seq });
  }
  const signalRows: SignalRow[] = outside
    .filter((fact) => fact.kind === "signal")
    .map(({ roundSeq, seq, key, value }, index) => ({
      tenant,
      sessionId,
      n: index + 1,
      roundSeq,
      seq,
      key,
      value,
    }));
  return { roundRows, postRows, signalRows };
}

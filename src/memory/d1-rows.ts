import { userPost, type Post } from "./post.ts";
import type { Round } from "./round.ts";
import type { Fact } from "./shared-state.ts";
import type { outsideSignals, posts, rounds } from "./tables.ts";

type RoundRow = typeof rounds.$inferSelect;
type PostRow = typeof posts.$inferSelect;
export type OutsideRow = typeof outsideSignals.$inferSelect;

export function toFact({ roundSeq, seq, key, value: given, n }: OutsideRow): Fact {
  return { roundSeq, seq, kind: "signal", key, value: given, n };
}

function toPost(row: PostRow): Post {
  const { id, sendFrom, sendTo, message, attachments, trace } = row;
  return { id, sendFrom, sendTo, message, attachments, ...(trace === null ? {} : { trace }) };
}

export function toRound(row: RoundRow, roundPosts: PostRow[]): Round {
  return {
    id: row.id,
    seq: row.seq,
    userQuery: row.userQuery,
    state: row.state,
    ...(row.stop === null ? {} : { stop: row.stop }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.usage === null ? {} : { usage: row.usage }),
    ...(row.variables === null ? {} : { variables: row.variables }),
    // What the User asks is in the round's row; only a round from elsewhere has a first Post of its own.
    posts: [...(roundPosts[0]?.seq === 0 ? [] : [userPost(row)]), ...roundPosts.map(toPost)],
    createdAt: row.createdAt,
    ...(row.finishedAt === null ? {} : { finishedAt: row.finishedAt }),
    ...(row.feedback === null ? {} : { feedback: row.feedback }),
  };
}

export function toRounds(roundRows: RoundRow[], postRows: PostRow[]): Round[] {
  const byRound = new Map<number, PostRow[]>();
  for (const row of postRows) {
    const list = byRound.get(row.roundSeq);
    if (list) list.push(row);
    else byRound.set(row.roundSeq, [row]);
  }
  return roundRows.map((row) => toRound(row, byRound.get(row.seq) ?? []));
}

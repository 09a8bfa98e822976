import { attachmentText } from "./attachment.ts";
import type { Post } from "./post.ts";
import type { Round } from "./round.ts";
import { SHARED_MEMORY_ENTRY, type SharedEntry, type SharedMemoryEntry } from "./shared-memory.ts";

export const BOARD = "board";
export const SIGNAL = "signal";

/** Something that a Post, or somebody from outside, has said to everybody. */
export type Fact = { roundSeq: number; seq: number } & (
  | { kind: "shared"; role: string; entry: SharedMemoryEntry }
  | { kind: "board"; role: string; text: string }
  /** `n` counts what came from outside; null takes the signal away. */
  | { kind: "signal"; key: string; value: string | null; n?: number }
);

/** What roles share at a moment of the conversation. */
export interface SharedState {
  /** Entries in force: of one role and type the latest, newest last. */
  shared: SharedEntry[];
  /** The round's bulletins by role alias. */
  board: Record<string, string>;
  signals: Record<string, string>;
}

/** `key:value`, split at the first colon: the value may hold more of them. */
export function parseSignal(content: string): { key: string; value: string } {
  const colon = content.indexOf(":");
  return colon < 0
    ? { key: content.trim(), value: "" }
    : { key: content.slice(0, colon).trim(), value: content.slice(colon + 1).trim() };
}

/** What a Post says to everybody, by its attachments. */
export function factsOfPost(roundSeq: number, seq: number, post: Post): Fact[] {
  const at = { roundSeq, seq };
  return post.attachments.flatMap((attachment): Fact[] => {
    switch (attachment.type) {
      case SHARED_MEMORY_ENTRY:
        return [{ ...at, kind: "shared", role: post.sendFrom, entry: attachment.extra as SharedMemoryEntry }];
      case BOARD:
        return [{ ...at, kind: "board", role: post.sendFrom, text: attachmentText(attachment) }];
      case SIGNAL:
        return [{ ...at, kind: "signal", ...parseSignal(attachmentText(attachment)) }];
      default:
        return [];
    }
  });
}

/** What stays of a round that failed: its signals, which nothing takes back. */
export function survivesFailure(fact: Fact): boolean {
  return fact.kind === "signal";
}

/** All that a conversation's rounds have said to everybody. */
export function factsOfRounds(rounds: Round[]): Fact[] {
  return rounds.flatMap((round) => {
    const facts = round.posts.flatMap((post, seq) => factsOfPost(round.seq, seq, post));
    return round.state === "failed" ? facts.filter(survivesFailure) : facts;
  });
}

/** Who said something last that may be said by a signal or by a shared entry, and what. */
export interface LastSaid {
  source: "signal" | "shared_memory";
  value: string;
}

/**
 * What was said last, by position, of what is in force: by a signal of this key or an entry of this type. A later
 * one of another role, or of the other kind, goes before.
 */
export function lastSaid(
  facts: Fact[],
  roundSeq: number,
  by: { signal?: string; entry: string },
): LastSaid | undefined {
  let entry: { value: string; place: number } | undefined;
  let signal: { value: string | null; place: number } | undefined;
  for (const [place, fact] of inOrder(facts).entries()) {
    if (fact.kind === "signal" && fact.key === by.signal) signal = { value: fact.value, place };
    if (fact.kind !== "shared" || fact.entry.type !== by.entry) continue;
    if (fact.entry.scope === "conversation" || fact.roundSeq === roundSeq)
      entry = { value: fact.entry.content, place };
  }
  if (signal && signal.value !== null && !(entry && entry.place > signal.place))
    return { source: "signal", value: signal.value };
  return entry && { source: "shared_memory", value: entry.value };
}

/** What is in force for a round. Where two say the same thing, the later by position wins. */
export function stateOf(facts: Fact[], roundSeq: number): SharedState {
  const shared = new Map<string, SharedEntry>();
  const board = new Map<string, string>();
  const signals = new Map<string, string>();
  for (const fact of inOrder(facts)) {
    switch (fact.kind) {
      case "shared": {
        if (fact.entry.scope !== "conversation" && fact.roundSeq !== roundSeq) continue;
        const key = JSON.stringify([fact.role, fact.entry.type]);
        // Deleted first, so that the newest is last.
        shared.delete(key);
        shared.set(key, { ...fact.entry, role: fact.role });
        continue;
      }
      case "board":
        if (fact.roundSeq === roundSeq) board.set(fact.role, fact.text);
        continue;
      case "signal":
        if (fact.value === null) signals.delete(fact.key);
        else signals.set(fact.key, fact.value);
        continue;
      default:
        fact satisfies never;
    }
  }
  return {
    shared: [...shared.values()],
    board: Object.fromEntries(board),
    signals: Object.fromEntries(signals),
  };
}

/** The same for the running round and whatever becomes of it, without what nothing can bring into force again. */
export function withoutOverwritten(facts: Fact[], roundSeq: number): Fact[] {
  const lasting = new Map<string, Fact>();
  for (const fact of inOrder(facts)) {
    if (fact.roundSeq >= roundSeq || fact.kind === "board") continue;
    if (fact.kind === "shared" && fact.entry.scope !== "conversation") continue;
    const key = JSON.stringify(fact.kind === "signal" ? [fact.key] : [fact.role, fact.entry.type]);
    // Deleted first: of what one Post says, the last stays last.
    lasting.delete(key);
    lasting.set(key, fact);
  }
  return [...lasting.values(), ...facts.filter((fact) => fact.roundSeq >= roundSeq)];
}

/** By round and Post; what came from outside after a Post stands behind what the Post said. */
function inOrder(facts: Fact[]): Fact[] {
  const outside = (fact: Fact) => (fact.kind === "signal" ? (fact.n ?? 0) : 0);
  return facts.toSorted(
    (left, right) => left.roundSeq - right.roundSeq || left.seq - right.seq || outside(left) - outside(right),
  );
}

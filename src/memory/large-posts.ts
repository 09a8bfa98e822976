import { sha256Hex } from "../lib/digest.ts";
import type { Post } from "./post.ts";
import type { Round } from "./round.ts";
import type { SessionRef } from "./session.ts";
import type { ConversationStore } from "./store.ts";

/** Where the bodies of posts are that are too large for a row. They go with the session's files. */
export interface PostBodies {
  /** The same body under the same name again is harmless. */
  put(ref: SessionRef, name: string, body: string): Promise<void>;
  get(ref: SessionRef, name: string): Promise<string | undefined>;
}

type PostBody = Pick<Post, "message" | "attachments">;

/** The type of the attachment that a row has in place of its body; the content is the body's name. */
const REFERENCE = "stored_post_body";
/** D1 takes rows of up to 2,000,000 bytes. */
const ROW_BYTES = 1_500_000;

/**
 * Keeps the bodies of large posts beside a store whose rows are limited. A body is durable before its row is, and its
 * name holds its digest: a runner that lost its lease can't change what another one's row refers to.
 */
export function keepLargePosts(
  store: ConversationStore,
  bodies: PostBodies,
  { rowBytes = ROW_BYTES }: { rowBytes?: number } = {},
): ConversationStore {
  async function toRow(ref: SessionRef, roundId: string, post: Post): Promise<Post> {
    const { message, attachments } = post;
    const body = JSON.stringify({ message, attachments } satisfies PostBody);
    // What only looks like a reference is kept like a large body, so that it comes back as it was.
    const isAmbiguous = attachments.some(({ type }) => type === REFERENCE);
    if (!isAmbiguous && fits(body, rowBytes)) return post;
    const name = `${roundId}/${post.id}/${(await sha256Hex(body)).slice(0, 32)}`;
    await bodies.put(ref, name, body);
    return { ...post, message: "", attachments: [{ id: post.id, type: REFERENCE, content: name }] };
  }

  async function toPost(ref: SessionRef, row: Post): Promise<Post> {
    const reference = row.attachments.find(({ type }) => type === REFERENCE);
    if (!reference) return row;
    const body = await bodies.get(ref, String(reference.content));
    if (body === undefined) throw new Error(`The body of post ${row.id} is missing: ${reference.content}.`);
    return { ...row, ...(JSON.parse(body) as PostBody) };
  }

  const toRound = async (ref: SessionRef, round: Round): Promise<Round> => ({
    ...round,
    posts: await Promise.all(round.posts.map((row) => toPost(ref, row))),
  });
  const toRounds = (ref: SessionRef, rounds: Round[]) =>
    Promise.all(rounds.map((round) => toRound(ref, round)));

  return {
    ...store,

    async importConversation(conversation) {
      const { session, rounds } = conversation;
      const rows: Round[] = [];
      for (const round of rounds) {
        const posts = round.posts.map((post) => toRow(session, round.id, post));
        rows.push({ ...round, posts: await Promise.all(posts) });
      }
      return store.importConversation({ ...conversation, rounds: rows });
    },

    async openRound(ref, round) {
      const conversation = await store.openRound(ref, round);
      return conversation && { ...conversation, rounds: await toRounds(ref, conversation.rounds) };
    },

    async loadConversation(ref) {
      const conversation = await store.loadConversation(ref);
      return conversation && { ...conversation, rounds: await toRounds(ref, conversation.rounds) };
    },

    async appendPost(ref, at, seq, post) {
      await store.appendPost(ref, at, seq, await toRow(ref, at.roundId, post));
    },

    async closeRound(ref, at, end, last) {
      const row = last && { seq: last.seq, post: await toRow(ref, at.roundId, last.post) };
      await store.closeRound(ref, at, end, row);
    },

    async getRound(ref, roundId) {
      const round = await store.getRound(ref, roundId);
      return round && toRound(ref, round);
    },

    async listRounds(ref, page) {
      const { items, ...rest } = await store.listRounds(ref, page);
      return { ...rest, items: await toRounds(ref, items) };
    },
  };
}

/** A character is three bytes of UTF-8 at most, so most texts needn't be encoded to know that they fit. */
function fits(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || new TextEncoder().encode(text).length <= bytes;
}

import { createId } from "../../lib/id.ts";
import type { Round } from "../../memory/round.ts";
import type { Session } from "../../memory/session.ts";
import { PLANNER, USER, userPost } from "../../memory/post.ts";
import type { Deployment } from "../channel.ts";
import { ChatError } from "./error.ts";
import type { ReadMessages } from "./request.ts";
import { digestOf } from "./threads.ts";

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,199}$/;

/**
 * The session that a request goes on with. A client that names one has it made on first use. For one that sends the
 * whole conversation each time it is the session that has come to exactly these messages; an unknown or changed
 * conversation becomes a new session with that past.
 */
export async function findSession(options: {
  deployment: Deployment;
  tenant: string;
  model: string;
  roles: string[];
  named: string | undefined;
  read: ReadMessages;
}): Promise<{ id: string; isNew: boolean }> {
  const { deployment, tenant, model, roles, named, read } = options;
  const { store } = deployment;
  if (named !== undefined) {
    if (!SESSION_ID.test(named)) {
      throw new ChatError(
        400,
        "invalid_session_id",
        "A session id is 1 to 200 letters, digits and . _ ~ : -.",
        "metadata",
      );
    }
    return { id: named, isNew: await store.createSession(newSession(tenant, named, roles)) };
  }
  if (read.history.length > 0) {
    const place = await deployment.chatThreads.find(
      tenant,
      await digestOf(model, read.instructions, read.history),
    );
    if (place) {
      const { items } = await store.listRounds({ tenant, id: place.sessionId }, { limit: 1 });
      // Gone on by another copy of the same conversation, it isn't this one any more.
      if (items[0]?.id === place.roundId) return { id: place.sessionId, isNew: false };
    }
  }
  const id = createId("chat");
  const session = newSession(tenant, id, roles);
  if (read.history.length === 0) await store.createSession(session);
  else await store.importConversation({ session, rounds: pastRounds(read.history), outside: [] });
  return { id, isNew: true };
}

function newSession(tenant: string, id: string, roles: string[]): Session {
  const now = Date.now();
  const fields = {
    tenant,
    id,
    roles,
    title: null,
    metadata: { channel: "openai" },
    variables: {},
    variablesVersion: 0,
  };
  return { ...fields, state: "idle", createdAt: now, updatedAt: now };
}

/** Each question with the answer that followed it, as if it had been held here. */
function pastRounds(history: ReadMessages["history"]): Round[] {
  const rounds: Round[] = [];
  for (const { role, text } of history) {
    if (role === "user") {
      const id = createId("round");
      const createdAt = Date.now();
      const round = { id, seq: rounds.length + 1, userQuery: text, state: "finished" as const, createdAt };
      rounds.push({ ...round, posts: [userPost({ id, userQuery: text })], finishedAt: createdAt });
    } else {
      const round = rounds.at(-1);
      round?.posts.push({
        id: `${round.posts[0]!.id}-${round.posts.length}`,
        sendFrom: PLANNER,
        sendTo: USER,
        message: text,
        attachments: [],
      });
    }
  }
  return rounds;
}

import type { SessionFiles } from "../../files/files.ts";
import type { Conversation } from "../../memory/store.ts";
import type { Remembered } from "../../memory/summary.ts";
import type { Deployment } from "../channel.ts";
import { sessionExists } from "./problem.ts";

/**
 * Makes a session that has a past. Its files come first and its row last: nobody sees it before all of it is there.
 * @throws HttpProblem 409 when there is a session of its id
 */
export async function makeSession(options: {
  conversation: Conversation & Partial<Remembered>;
  putFiles(files: SessionFiles): Promise<void>;
  deployment: Deployment;
}): Promise<void> {
  const { conversation, putFiles, deployment } = options;
  const { session } = conversation;
  const { store, files } = await deployment.messageServices(session);
  if (await store.getSession(session)) throw sessionExists(session.id);
  try {
    await putFiles(files);
    if (!(await store.importConversation(conversation))) throw sessionExists(session.id);
  } catch (error) {
    // Made by somebody else in the meantime, the session keeps what lies under its name.
    if (!(await store.getSession(session))) await files.deleteAll();
    throw error;
  }
}

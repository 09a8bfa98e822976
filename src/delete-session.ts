import type { Deployment } from "./channels/channel.ts";
import type { SessionRef } from "./memory/session.ts";

/**
 * Deletes all that belongs to a session. Its object goes first, which ends a running round; its rows go last, so that a
 * deletion that was cut off can be asked for again.
 */
export async function deleteSession(
  { store, messageServices, chatThreads }: Deployment,
  ref: SessionRef,
): Promise<void> {
  const { sessionClient, files, abilities, contextId } = await messageServices(ref);
  await sessionClient.destroy();
  await Promise.all([
    files.deleteAll(),
    // Its interpreter goes by itself when idle; that it can't be reached now is no reason to keep the session.
    abilities.sandbox
      .close(contextId)
      .catch((error: unknown) => console.warn("Interpreter not closed.", error)),
  ]);
  await chatThreads.forget(ref);
  await store.deleteSession(ref);
}

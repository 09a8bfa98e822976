import type { Client } from "./client.ts";

interface SessionFile {
  session: { id: string };
  rounds: { id: string; post_list: { id: string; attachment_list: { id: string; extra?: unknown }[] }[] }[];
}

let made = 0;

/** A session that has had so many rounds: one that was really held, that many times over. */
export async function longSession(client: Client, model: SessionFile, rounds: number): Promise<string> {
  const [round] = model.rounds;
  const id = `long-${++made}`;
  const copies = Array.from({ length: rounds }, (_none, index) => {
    const copy = structuredClone(round!);
    copy.id = `${copy.id}-${id}-${index}`;
    for (const post of copy.post_list) {
      post.id = `${post.id}-${id}-${index}`;
      for (const attachment of post.attachment_list) {
        attachment.id = `${attachment.id}-${id}-${index}`;
        // The interpreter of the copied session is not this one's: its loss would have to be told.
        if (attachment.extra && "generation" in (attachment.extra as object)) attachment.extra = null;
      }
    }
    return copy;
  });
  await client.call("/v1/sessions/import", {
    json: { ...model, session: { ...model.session, id }, rounds: copies },
  });
  return id;
}

export async function exportSession(client: Client, session: string): Promise<SessionFile> {
  return (await client.call(`/v1/sessions/${session}/export`)) as SessionFile;
}

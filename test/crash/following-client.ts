interface Told {
  id?: number;
  round_id: string;
  post_id?: string;
  type: string;
  data: Record<string, unknown>;
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Sends a message and listens to the end of its round, as a client does that doesn't give up: when the line breaks it
 * comes back with the last id that it was told.
 */
export async function sendAndFollow(fetch: Fetch, session: string, message: string): Promise<Told[]> {
  const told: Told[] = [];
  let lastId = 0;
  let round = "";

  async function listen(response: Response): Promise<boolean> {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const frames = (rest + value).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data === undefined) continue;
        const event = JSON.parse(data) as Told;
        if (event.type === "round_queued") continue;
        round ||= event.round_id;
        lastId = event.id ?? lastId;
        if (event.round_id !== round) continue;
        told.push(event);
        if (event.type !== "round_end") continue;
        await reader.cancel();
        return true;
      }
    }
  }

  const before = await lastEventId(fetch, session);
  lastId = before;
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const path = `/v1/sessions/${session}`;
  const sent = () =>
    fetch(`${path}/messages`, { method: "POST", headers, body: JSON.stringify({ message }) });
  for (let request: () => Promise<Response> = sent; ;) {
    try {
      const response = await request();
      if (response.ok && (await listen(response))) return told;
    } catch {
      // The line broke: the server is gone for a moment.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    request = () => fetch(`${path}/events`, { headers: { "last-event-id": String(lastId) } });
  }
}

async function lastEventId(fetch: Fetch, session: string): Promise<number> {
  const response = await fetch(`/v1/sessions/${session}/rounds?limit=1`);
  const { data } = (await response.json()) as { data: { id: string }[] };
  if (data.length === 0) return 0;
  const all = await storedEvents(fetch, session, data[0]!.id);
  return all.at(-1)!.id!;
}

/** The session's stored events up to the end of a round. */
export async function storedEvents(fetch: Fetch, session: string, round: string): Promise<Told[]> {
  const response = await fetch(`/v1/sessions/${session}/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events: Told[] = [];
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The events ended before the round did.");
    const frames = (rest + value).split("\n\n");
    rest = frames.pop()!;
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) events.push(JSON.parse(data) as Told);
    }
    if (!events.some(({ type, round_id: of }) => type === "round_end" && of === round)) continue;
    await reader.cancel();
    return events;
  }
}

export interface ReadEvent {
  id?: number;
  post_id?: string;
  type: string;
  data: Record<string, unknown>;
}

/** All events of a stream, read to its end and checked against their frames. */
export async function readEvents(response: Response): Promise<ReadEvent[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
      const event = JSON.parse(field("data")!) as ReadEvent;
      if (event.type !== field("event"))
        throw new Error(`The frame's event is not the event's type: ${frame}`);
      if (String(event.id) !== String(field("id")))
        throw new Error(`The frame's id is not the event's: ${frame}`);
      return event;
    });
}

/** The first events of a stream that doesn't end by itself, up to the one that is waited for. */
export async function readEventsUntil(
  response: Response,
  isLast: (event: ReadEvent) => boolean,
): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The stream ended before the event came.");
    const frames = (rest + value).split("\n\n");
    rest = frames.pop()!;
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      events.push(JSON.parse(data) as ReadEvent);
      if (!isLast(events.at(-1)!)) continue;
      await reader.cancel();
      return events;
    }
  }
}

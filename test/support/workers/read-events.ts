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

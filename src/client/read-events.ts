import type { SessionEvent } from "../events/event.ts";

/** The events of a server-sent stream. One that wasn't ended by an empty line is incomplete, and doesn't count. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SessionEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  try {
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (rest + value).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) yield JSON.parse(data) as SessionEvent;
      }
    }
  } finally {
    await reader.cancel();
  }
}

import type { SessionEvent } from "../../events/event.ts";

/** Server-sent events as they happen. Writing never waits: a slow or gone reader doesn't hold up the round. */
export function createEventStream() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (started) => void (controller = started),
    cancel: () => void (isOpen = false),
  });
  const send = (frame: string) => {
    begin();
    if (isOpen) controller.enqueue(encoder.encode(`${frame}\n\n`));
  };

  return {
    /** Resolves with the first event. */
    hasBegun,
    isOpen: () => isOpen,
    write(event: SessionEvent) {
      const id = event.id === undefined ? "" : `id: ${event.id}\n`;
      send(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}`);
    },
    comment: (text: string) => send(`: ${text}`),
    end() {
      if (!isOpen) return;
      isOpen = false;
      controller.close();
    },
    response: () =>
      new Response(body, {
        headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
      }),
  };
}

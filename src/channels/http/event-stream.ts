import type { SessionEvent } from "../../events/event.ts";

/** Server-sent events as they happen. Writing never waits: a slow or gone reader doesn't hold up the round. */
export function createEventStream() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  let begin: () => void;
  const hasBegun = new Promise<void>((resolve) => (begin = resolve));
  const body = new ReadableStream<Uint8Array>({
    start: (started) => void (controller = started),
    cancel: () => void (isOpen = false),
  });

  return {
    body,
    /** Resolves with the first event. */
    hasBegun,
    write(event: SessionEvent) {
      begin();
      if (!isOpen) return;
      const id = event.id === undefined ? "" : `id: ${event.id}\n`;
      controller.enqueue(encoder.encode(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    end() {
      if (!isOpen) return;
      isOpen = false;
      controller.close();
    },
  };
}

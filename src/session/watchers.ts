import type { SessionEvent } from "../events/event.ts";
import type { createEventLog } from "./event-log.ts";

/**
 * Listeners over WebSockets. They may be silent for days: the object sleeps meanwhile, the sockets stay open, and each
 * carries with it how far it has been told.
 */
export function createWatchers(state: DurableObjectState, log: ReturnType<typeof createEventLog>) {
  // Answered without waking the object.
  state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));

  function tell(socket: WebSocket, events: SessionEvent[]): void {
    const { after } = socket.deserializeAttachment() as { after: number };
    const news = events.filter((event) => event.id! > after);
    if (news.length === 0) return;
    try {
      for (const event of news) socket.send(JSON.stringify(event));
      socket.serializeAttachment({ after: news.at(-1)!.id });
    } catch {
      // A socket that is closing takes nothing more; its client comes back with its last id.
    }
  }

  return {
    /** Opens a socket that is told all events after an id: the stored ones now, the others as they come. */
    open(after: number, snapshot: SessionEvent): Response {
      const { 0: client, 1: server } = new WebSocketPair();
      state.acceptWebSocket(server);
      server.serializeAttachment({ after });
      if (log.hasForgotten(after)) server.send(JSON.stringify(snapshot));
      for (let last = after; ;) {
        const events = log.after(last, 500);
        if (events.length === 0) break;
        tell(server, events);
        last = events.at(-1)!.id!;
      }
      return new Response(null, { status: 101, webSocket: client });
    },

    tellAll(events: SessionEvent[]): void {
      for (const socket of state.getWebSockets()) tell(socket, events);
    },

    closeAll(reason: string): void {
      for (const socket of state.getWebSockets()) socket.close(1000, reason);
    },
  };
}

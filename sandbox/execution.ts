import type { ExecutionEvent, ExecutionEventBody } from "./protocol.ts";

const PING_MS = 10_000;

type Listener = (event: ExecutionEvent) => void;

/** A running execution: its events so far, and who listens. Each event is kept by `store` before anyone hears of it. */
export class Execution {
  readonly id: string;
  readonly events: ExecutionEvent[] = [];
  readonly finished: Promise<void>;
  #seq = 0;
  readonly #openCalls = new Set<string>();
  readonly #answeredCalls = new Set<string>();
  readonly #listeners = new Set<Listener>();
  readonly #store: (event: ExecutionEvent) => void;
  readonly #finish: () => void;
  readonly #pings: NodeJS.Timeout;

  constructor(id: string, store: (event: ExecutionEvent) => void) {
    this.id = id;
    this.#store = store;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
    // Both ends notice a dead peer only when something is written.
    this.#pings = setInterval(() => this.#tell({ type: "ping", seq: ++this.#seq }), PING_MS);
    this.#pings.unref();
  }

  add(body: ExecutionEventBody): void {
    const event: ExecutionEvent = { ...body, seq: ++this.#seq };
    try {
      this.#store(event);
    } catch (error) {
      clearInterval(this.#pings);
      throw error;
    }
    this.events.push(event);
    if (event.type === "call") this.#openCalls.add(event.call_id);
    this.#tell(event);
    if (body.type === "done" || body.type === "lost") {
      clearInterval(this.#pings);
      this.#listeners.clear();
      this.#finish();
    }
  }

  /** Calls `listener` with the events after `after` that are there, then with each new one. Returns how to stop. */
  listen(after: number, listener: Listener): () => void {
    for (const event of this.events) if (event.seq > after) listener(this.#markAnswered(event));
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes note that a call has its answer: `new` once, and never for a call that was not made. */
  answer(callId: string): "new" | "answered" | "unknown" {
    if (this.#answeredCalls.has(callId)) return "answered";
    if (!this.#openCalls.delete(callId)) return "unknown";
    this.#answeredCalls.add(callId);
    return "new";
  }

  #markAnswered(event: ExecutionEvent): ExecutionEvent {
    const answered = event.type === "call" && this.#answeredCalls.has(event.call_id);
    return answered ? { ...event, answered } : event;
  }

  #tell(event: ExecutionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

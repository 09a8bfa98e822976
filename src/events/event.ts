import type { wirePost, WireRound } from "../memory/wire.ts";

/** What there is to tell while a round runs, by type. Names and shapes are the wire's. */
export interface EventData {
  round_queued: { position: number };
  round_start: { user_query: string };
  post_start: { role: string };
  post_status: { status: string };
  post_send_to: { send_to: string };
  post_message: { delta: string; is_end: boolean };
  post_attachment: {
    attachment_id: string;
    attachment_type: string;
    delta: string;
    is_end: boolean;
    extra?: unknown;
  };
  /** Forget what this post has said so far: it was withdrawn. */
  post_error: { message: string };
  post_end: { post: ReturnType<typeof wirePost> };
  execution_output: { stream: "stdout" | "stderr"; text: string };
  artifact: Record<string, unknown>;
  round_end: { round: WireRound };
  round_error: { code: string; message: string };
  warning: { code: string; message: string };
  snapshot: { session: unknown };
}

export type EventType = keyof EventData;

export interface SessionEvent<Type extends EventType = EventType> {
  /** Grows by one in a session. Deltas have none: they are told live and not kept. */
  id?: number;
  session_id: string;
  round_id: string;
  post_id?: string;
  type: Type;
  at: string;
  data: EventData[Type];
}

/** Told to whoever listens now and not kept. */
const liveOnly = new Set<EventType>(["round_queued", "post_message", "post_attachment"]);

export type EmitEvent = <Type extends EventType>(type: Type, data: EventData[Type], postId?: string) => void;

/**
 * The events of one round, as its runner makes them. What happens on the way is told at once and stored with the next
 * Post; what settles something (a Post's end, the round's) is told only once it is stored.
 */
export interface RoundEvents {
  emit: EmitEvent;
  /** Told when `stored` is called. */
  emitWhenStored: EmitEvent;
  /** The events that are to be stored, each once. */
  take(): SessionEvent[];
  /** What was taken is stored. */
  stored(): void;
}

/** Listeners that throw have lost their place; the round goes on. */
export function createRoundEvents(options: {
  sessionId: string;
  roundId: string;
  nextEventId?: number;
  listeners: ((event: SessionEvent) => void)[];
}): RoundEvents {
  let nextId = options.nextEventId ?? 1;
  let unstored: SessionEvent[] = [];
  let untold: SessionEvent[] = [];

  function make<Type extends EventType>(type: Type, data: EventData[Type], postId?: string): SessionEvent {
    const event: SessionEvent = {
      ...(liveOnly.has(type) ? {} : { id: nextId++ }),
      session_id: options.sessionId,
      round_id: options.roundId,
      ...(postId === undefined ? {} : { post_id: postId }),
      type,
      at: new Date().toISOString(),
      data,
    };
    if (event.id !== undefined) unstored.push(event);
    return event;
  }

  function tell(event: SessionEvent): void {
    for (const listener of options.listeners) {
      try {
        listener(event);
      } catch (error) {
        console.warn("An event listener failed; the round goes on.", error);
      }
    }
  }

  return {
    emit: (type, data, postId) => tell(make(type, data, postId)),
    emitWhenStored: (type, data, postId) => void untold.push(make(type, data, postId)),
    take() {
      const taken = unstored;
      unstored = [];
      return taken;
    },
    stored() {
      const settled = untold;
      untold = [];
      for (const event of settled) tell(event);
    },
  };
}

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

/** Makes the events of one round. Listeners are told at once; one that throws has lost its place, not the round. */
export function createEmitter(options: {
  sessionId: string;
  roundId: string;
  nextEventId?: number;
  listeners: ((event: SessionEvent) => void)[];
}): { emit: EmitEvent; nextEventId(): number } {
  let nextId = options.nextEventId ?? 1;
  return {
    emit(type, data, postId) {
      const event: SessionEvent = {
        ...(liveOnly.has(type) ? {} : { id: nextId++ }),
        session_id: options.sessionId,
        round_id: options.roundId,
        ...(postId === undefined ? {} : { post_id: postId }),
        type,
        at: new Date().toISOString(),
        data,
      };
      for (const listener of options.listeners) {
        try {
          listener(event);
        } catch (error) {
          console.warn("An event listener failed; the round goes on.", error);
        }
      }
    },
    nextEventId: () => nextId,
  };
}

import type * as z from "zod";
import type * as answers from "../channels/http/openapi/answers.ts";
import type { SessionEvent } from "../events/event.ts";
import { ApiError } from "./api-error.ts";
import { readEvents } from "./read-events.ts";

type Session = z.output<typeof answers.session>;
type Round = z.output<typeof answers.round>;
type StoredFile = z.output<typeof answers.file>;
type Artifact = z.output<typeof answers.artifact>;

interface Message {
  message: string;
  files?: { name: string; content_base64?: string; file_id?: string }[];
}

interface Page {
  cursor?: string;
  limit?: number;
}

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/**
 * A small client of the API for whatever has `fetch`: browsers, Node, Workers. It sends again what got lost on the way,
 * under one Idempotency-Key, so that nothing is done twice.
 *
 * @example
 * const api = createClient({ url: "https://my.workers.dev", key });
 * const { id } = await api.createSession();
 * for await (const event of api.stream(id, { message: "what is 6 times 7?" })) console.log(event.type, event.data);
 */
export function createClient(options: { url: string; key?: string; fetch?: typeof fetch }) {
  const { url, key, fetch: send = fetch } = options;

  /** Any call. @throws ApiError for whatever isn't a success */
  async function request(path: string, init: RequestInit & { json?: unknown } = {}): Promise<Response> {
    const { json, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    if (json !== undefined) headers.set("content-type", "application/json");
    const body = json === undefined ? {} : { method: rest.method ?? "POST", body: JSON.stringify(json) };
    if ((body.method ?? rest.method) === "POST" && !headers.has("idempotency-key")) {
      headers.set("idempotency-key", crypto.randomUUID());
    }
    for (let attempt = 1; ; attempt++) {
      const last = attempt === ATTEMPTS || rest.body instanceof ReadableStream;
      try {
        const response = await send(new URL(path, url), { ...rest, ...body, headers });
        if (response.ok) return response;
        const error = await ApiError.of(response);
        // The first one is still worked on; what comes of it is told to this one too, within a minute at most.
        if (error.code === "idempotency_in_progress") attempt -= 1;
        else if (last || !error.mayPass) throw error;
      } catch (error) {
        // What fetch throws is a lost line, or the caller's own abort.
        if (last || error instanceof ApiError || rest.signal?.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.max(1, attempt)));
    }
  }

  const read = async <Answer>(path: string, init?: Parameters<typeof request>[1]) =>
    (await (await request(path, init)).json()) as Answer;
  const under = (session: string, ...parts: string[]) =>
    ["/v1/sessions", session, ...parts]
      .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
      .join("/");
  const query = (page: Page) => {
    const given = Object.entries(page).map(([name, value]) => [name, String(value)] as [string, string]);
    return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  };

  return {
    request,
    createSession: (
      body: {
        id?: string;
        roles?: string[];
        title?: string;
        metadata?: Record<string, unknown>;
        variables?: Record<string, string>;
      } = {},
    ) => read<Session>("/v1/sessions", { json: body }),
    getSession: (session: string) => read<Session>(under(session)),
    listSessions: (page: Page = {}) =>
      read<{ data: Session[]; next_cursor: string | null }>(`/v1/sessions${query(page)}`),
    async deleteSession(session: string): Promise<void> {
      await request(under(session), { method: "DELETE" });
    },

    /** Runs a round and waits for its end. A failed round is a Round as well: look at its `state`. */
    send: (session: string, message: Message, init: { signal?: AbortSignal } = {}) =>
      read<Round>(under(session, "messages"), { json: message, ...init }),
    /** Runs a round and tells its events as they happen; the last one is `round_end`, with the Round. */
    async *stream(
      session: string,
      message: Message,
      init: { signal?: AbortSignal } = {},
    ): AsyncGenerator<SessionEvent> {
      const headers = { accept: "text/event-stream" };
      const response = await request(under(session, "messages"), { json: message, headers, ...init });
      yield* readEvents(response.body!);
    },
    /** Tells the session's events from one on, and goes on where it was when the line is lost; ends with the signal. */
    async *events(
      session: string,
      init: { after?: number; signal?: AbortSignal } = {},
    ): AsyncGenerator<SessionEvent> {
      const { signal } = init;
      for (let after = init.after ?? 0; ;) {
        if (signal?.aborted) return;
        const headers = { "last-event-id": String(after) };
        try {
          const response = await request(under(session, "events"), {
            headers,
            ...(signal ? { signal } : {}),
          });
          for await (const event of readEvents(response.body!)) {
            after = event.id ?? after;
            yield event;
          }
        } catch (error) {
          if (signal?.aborted) return;
          if (error instanceof ApiError) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    getRound: (session: string, round: string) => read<Round>(under(session, "rounds", round)),
    listRounds: (session: string, page: Page = {}) =>
      read<{ data: Round[]; next_cursor: string | null }>(under(session, "rounds") + query(page)),
    async cancelRound(session: string, round: string): Promise<void> {
      await request(under(session, "rounds", round, "cancel"), { method: "POST" });
    },

    putFile: (session: string, name: string, body: BodyInit, mime?: string) =>
      read<StoredFile>(under(session, "files", name), {
        method: "PUT",
        body,
        ...(mime === undefined ? {} : { headers: { "content-type": mime } }),
      }),
    getFile: (session: string, name: string) => request(under(session, "files", name)),
    listArtifacts: (session: string) => read<{ data: Artifact[] }>(under(session, "artifacts")),
    getArtifact: (session: string, artifact: string) => request(under(session, "artifacts", artifact)),
  };
}

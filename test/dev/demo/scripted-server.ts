import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One event as the server would send it; ids and times are filled in. */
export interface ScriptedEvent {
  type: string;
  post_id?: string;
  data: unknown;
}

export interface Script {
  /** The events of each round, in the order of the messages. A number is a pause in ms, `hang` waits for a cancel. */
  rounds?: (ScriptedEvent | number | "hang" | "break")[][];
  artifacts?: { id: string; name: string; content: string }[];
  /** A key that every call must bring. */
  key?: string;
  /** Status of `POST …/experience`. */
  experience?: number;
  /** What `GET …/rounds/{id}` answers. */
  storedRound?: unknown;
}

export interface Call {
  call: string;
  body: unknown;
}

/** A TaskWeaver server that says what it was told to say, and remembers what it was asked. */
export async function scriptedServer(script: Script) {
  const calls: Call[] = [];
  const rounds = [...(script.rounds ?? [])];
  let sessions = 0;
  let cancelled: () => void = () => {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? "";
    calls.push({ call: `${request.method} ${path}`, body: text ? JSON.parse(text) : undefined });
    const json = (status: number, body: unknown) => {
      response.writeHead(status, {
        "content-type": status >= 400 ? "application/problem+json" : "application/json",
      });
      response.end(JSON.stringify(body));
    };
    if (script.key && request.headers.authorization !== `Bearer ${script.key}`) {
      return json(401, { title: "Unauthorized", status: 401, code: "unauthorized", detail: "Send a key." });
    }
    if (path === "/v1/sessions") return json(201, { id: `session-${++sessions}` });
    if (path.endsWith("/messages")) return playRound(response);
    if (path.endsWith("/cancel")) {
      cancelled();
      return json(202, {});
    }
    if (path.endsWith("/experience"))
      return json(script.experience ?? 202, { code: "not_found", detail: "No such route." });
    if (path.endsWith("/artifacts")) return json(200, { data: script.artifacts ?? [], next_cursor: null });
    const artifact = script.artifacts?.find(({ id }) => path.endsWith(`/artifacts/${id}`));
    if (artifact) {
      response.end(artifact.content);
      return undefined;
    }
    if (/\/rounds\/[^/]+$/.test(path) && script.storedRound) return json(200, script.storedRound);
    return json(404, { code: "not_found", detail: `No ${path}` });
  }

  async function playRound(response: ServerResponse): Promise<void> {
    const number = script.rounds!.length - rounds.length + 1;
    const events = rounds.shift() ?? [];
    response.writeHead(200, { "content-type": "text/event-stream" });
    let id = 0;
    for (const step of events) {
      if (typeof step === "number") await new Promise((resolve) => setTimeout(resolve, step));
      else if (step === "hang") await new Promise<void>((resolve) => (cancelled = resolve));
      else if (step === "break") return void response.destroy();
      else {
        const event = {
          id: ++id,
          session_id: `session-${sessions}`,
          round_id: `round-${number}`,
          at: "2026-01-01T00:00:00Z",
          ...step,
        };
        response.write(`id: ${id}\nevent: ${step.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
    }
    response.end();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A round in which the Planner answers at once. */
export function answeredRound(message: string): ScriptedEvent[] {
  const post = { id: "post-1", send_from: "Planner", send_to: "User", message, attachment_list: [] };
  return [
    { type: "round_start", data: { user_query: "?" } },
    { type: "post_start", post_id: "post-1", data: { role: "Planner" } },
    { type: "post_end", post_id: "post-1", data: { post } },
    endOfRound({ state: "finished", stop: "Completed" }),
  ];
}

export function endOfRound(round: object): ScriptedEvent {
  return { type: "round_end", data: { round: { id: "round-1", post_list: [], usage: null, ...round } } };
}

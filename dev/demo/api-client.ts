import * as z from "zod";
import { parseEvent, roundSchema, type DemoEvent, type Round } from "./events.ts";
import { readServerSentEvents } from "./server-sent-events.ts";

export interface Upload {
  name: string;
  content: Uint8Array;
}

const artifactSchema = z.looseObject({ id: z.string(), name: z.string(), size: z.number().nullish() });
export type Artifact = z.infer<typeof artifactSchema>;

/** The server refused a request; `message` is what it said about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }
}

/** The few calls of the HTTP API that the demo makes. */
export function createApiClient({ url, key }: { url: string; key?: string }) {
  async function call(
    method: string,
    path: string,
    options: { body?: unknown; accept?: string; signal?: AbortSignal } = {},
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: options.accept ?? "application/json",
        ...(options.body !== undefined && { "content-type": "application/json" }),
        ...(key && { authorization: `Bearer ${key}` }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      signal: options.signal,
    }).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new ApiError(0, "unreachable", `No answer from ${url}: ${cause}`);
    });
    if (!response.ok) throw await problem(response);
    return response;
  }
  return {
    url,

    async createSession(): Promise<string> {
      const response = await call("POST", "/v1/sessions", { body: {} });
      return z.looseObject({ id: z.string() }).parse(await response.json()).id;
    },

    /** Sends a message and gives the round's events as they come. */
    async *sendMessage(
      id: string,
      message: string,
      files: Upload[],
      signal: AbortSignal,
    ): AsyncGenerator<DemoEvent> {
      const uploads = files.map(({ name, content }) => ({
        name,
        content_base64: Buffer.from(content).toString("base64"),
      }));
      const response = await call("POST", `${session(id)}/messages`, {
        body: { message, ...(uploads.length > 0 && { files: uploads }) },
        accept: "text/event-stream",
        signal,
      });
      if (!response.body) return;
      for await (const data of readServerSentEvents(response.body)) {
        const event = parseEvent(data);
        if (event) yield event;
      }
    },

    async getRound(id: string, round: string): Promise<Round> {
      const response = await call("GET", `${session(id)}/rounds/${encodeURIComponent(round)}`);
      return roundSchema.parse(await response.json());
    },

    async cancelRound(id: string, round: string): Promise<void> {
      await call("POST", `${session(id)}/rounds/${encodeURIComponent(round)}/cancel`);
    },

    async listArtifacts(id: string): Promise<Artifact[]> {
      const page = z.looseObject({ data: z.array(artifactSchema), next_cursor: z.string().nullish() });
      const found: Artifact[] = [];
      let cursor: string | null | undefined;
      do {
        const query = cursor ? `?cursor=${encodeURIComponent(cursor)}` : "";
        const response = await call("GET", `${session(id)}/artifacts${query}`);
        const { data, next_cursor } = page.parse(await response.json());
        found.push(...data);
        cursor = data.length > 0 ? next_cursor : undefined;
      } while (cursor);
      return found;
    },

    async downloadArtifact(id: string, artifact: string): Promise<Uint8Array> {
      const response = await call("GET", `${session(id)}/artifacts/${encodeURIComponent(artifact)}`, {
        accept: "*/*",
      });
      return new Uint8Array(await response.arrayBuffer());
    },

    async saveExperience(id: string): Promise<void> {
      await call("POST", `${session(id)}/experience`, { body: {} });
    },
  };
}

function session(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id)}`;
}

export type ApiClient = ReturnType<typeof createApiClient>;

async function problem(response: Response): Promise<ApiError> {
  const text = await response.text();
  const schema = z.looseObject({
    code: z.string().optional(),
    title: z.string().optional(),
    detail: z.string().optional(),
  });
  let told: z.infer<typeof schema> = {};
  try {
    told = schema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    // A proxy's page: the status has to do.
  }
  const message = told.detail ?? told.title ?? (response.statusText || "no reason given");
  return new ApiError(
    response.status,
    told.code ?? String(response.status),
    `${message} (HTTP ${response.status})`,
  );
}

import { readLines } from "../../lib/read-lines.ts";
import { showUrl } from "../../lib/safe-url.ts";
import {
  ContextLostError,
  SandboxUnreachableError,
  type CallAnswer,
  type Execution,
  type ExecutionEvent,
  type OutsideCall,
  type Sandbox,
} from "../sandbox.ts";
import type { SandboxFetch } from "../bound-fetch.ts";
import { parseExecutionEvent } from "../event-wire.ts";
import { contextWire, filesWire, infoWire } from "./wire.ts";

export interface HttpSandboxOptions {
  url: string;
  token: string;
  /** Where requests go, if not to the network. */
  fetch?: SandboxFetch | undefined;
}

/**
 * A sandbox that is being restarted is back in a moment. Asking again is harmless: every call may be sent twice, an
 * execution by its id.
 */
const RETRY_PAUSES_MS = [100, 250, 500, 1000, 2000, 3000];
/** How long earlier code may take to stop: the sandbox kills it before that. */
const BUSY_MS = 15_000;
const BUSY_PAUSE_MS = 100;
const noPlugins: CallAnswer = {
  error: { name: "EdgePluginError", message: "there are no such plugins here" },
};

/** Our own protocol, spoken by the reference server in `sandbox/` and by anything that hosts it. */
export function createSandbox(options: HttpSandboxOptions): Sandbox {
  const { url, token, fetch: send = (...request) => fetch(...request) } = options;
  const where = showUrl(url);
  const base = url.replace(/\/+$/, "");
  const contextPath = (contextId: string) => `/v1/contexts/${encodeURIComponent(contextId)}`;
  const filePath = (contextId: string, path: string) =>
    `${contextPath(contextId)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    // A body that streams is gone with the first try.
    const pauses = init.body instanceof ReadableStream ? [] : RETRY_PAUSES_MS;
    for (let attempt = 0; ; attempt++) {
      const pause = pauses[attempt];
      try {
        const response = await send(`${base}${path}`, { ...init, headers });
        if (response.status !== 503 || pause === undefined) return response;
        await response.body?.cancel();
      } catch (error) {
        init.signal?.throwIfAborted();
        if (pause === undefined) {
          throw new SandboxUnreachableError(
            `The code sandbox at ${where} can't be reached. Check ${options.fetch ? "the binding SANDBOX" : "SANDBOX_URL"} and that the sandbox is up.`,
            { cause: error },
          );
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async function expectOk(response: Response, doing: string): Promise<Response> {
    if (response.ok) return response;
    const text = await response.text().catch(() => "");
    if (response.status === 401 || response.status === 403) {
      throw new SandboxUnreachableError(
        `The code sandbox at ${where} refused the token. Check SANDBOX_TOKEN.`,
      );
    }
    const busy = response.status === 429 ? " It is full: try again in a while." : "";
    throw new SandboxUnreachableError(
      `The code sandbox at ${where} answered ${response.status} while ${doing}.${busy}${errorCode(text)}`,
    );
  }

  async function attach(
    contextId: string,
    execution: Execution,
    after: number,
    giveUpAt = Date.now() + BUSY_MS,
  ): Promise<Response> {
    const response = await call(`${contextPath(contextId)}/executions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        execution_id: execution.executionId,
        code: execution.code,
        timeout_ms: execution.timeoutMs,
        ...(execution.generation === undefined ? {} : { generation: execution.generation }),
        ...(after === 0 ? {} : { after }),
      }),
      ...(execution.signal ? { signal: execution.signal } : {}),
    });
    if (response.status === 404) throw new ContextLostError(contextId);
    if (response.status !== 409) return expectOk(response, "running code");
    const text = await response.clone().text();
    if (text.includes("context_lost")) throw new ContextLostError(contextId);
    // Code that was told to stop may take a moment to do so.
    if (!text.includes("context_busy") || Date.now() > giveUpAt) return expectOk(response, "running code");
    await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
    return attach(contextId, execution, after, giveUpAt);
  }

  /** The execution goes on without an answer that can't be handed over: then its deadline ends it. */
  async function answerCall(contextId: string, execution: Execution, { callId, ...made }: OutsideCall) {
    const answer = (await execution.onCall?.({ callId, ...made })) ?? noPlugins;
    const path = `executions/${encodeURIComponent(execution.executionId)}/calls/${encodeURIComponent(callId)}`;
    await call(`${contextPath(contextId)}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(answer),
    }).then(
      (response) => response.body?.cancel(),
      (error: unknown) => console.error(`The answer to ${made.name} did not reach the sandbox:`, error),
    );
  }

  return {
    async capabilities() {
      const response = await expectOk(await call("/v1/info"), "asking what it can do");
      return infoWire.parse(await response.json());
    },

    async open(contextId, spec) {
      const put = await call(contextPath(contextId), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(spec),
      });
      // Code that an earlier runner has started still runs: it is attached to with what it was started with.
      const response = put.status === 409 ? await call(contextPath(contextId)) : put;
      return contextWire.parse(await (await expectOk(response, "opening the interpreter")).json());
    },

    /** A connection that breaks is taken up again where it broke, a few times: the id keeps the code from running twice. */
    async *execute(contextId, execution): AsyncGenerator<ExecutionEvent> {
      let after = 0;
      const answering = new Set<string>();
      for (let attempt = 1; ; attempt++) {
        const response = await attach(contextId, execution, after);
        try {
          for await (const line of readLines(response.body!)) {
            const parsed = parseExecutionEvent(JSON.parse(line));
            if (!parsed) continue;
            if (parsed.seq !== undefined) {
              if (parsed.seq <= after) continue;
              after = parsed.seq;
            }
            if (parsed.call && !answering.has(parsed.call.callId)) {
              answering.add(parsed.call.callId);
              void answerCall(contextId, execution, parsed.call);
            }
            if (!parsed.event) continue;
            yield parsed.event;
            if (parsed.event.type === "done" || parsed.event.type === "lost") return;
          }
        } catch (error) {
          execution.signal?.throwIfAborted();
          if (attempt === 3) throw lostConnection(error);
        }
        if (attempt === 3) throw lostConnection();
      }
    },

    async interrupt(contextId) {
      await expectOk(await call(`${contextPath(contextId)}/interrupt`, { method: "POST" }), "interrupting");
    },

    async putFile(contextId, path, body, size) {
      const response = await call(filePath(contextId, path), {
        method: "PUT",
        headers: { "content-length": String(size) },
        body: withLength(body, size),
      });
      await expectOk(response, `storing the file "${path}"`);
    },

    async getFile(contextId, path) {
      const response = await call(filePath(contextId, path));
      if (response.status === 404) return undefined;
      const { body, headers } = await expectOk(response, `reading the file "${path}"`);
      return { body: body!, size: Number(headers.get("content-length")) };
    },

    async listFiles(contextId) {
      const response = await expectOk(await call(`${contextPath(contextId)}/files`), "listing files");
      return filesWire.parse(await response.json()).files.map(({ path }) => path);
    },

    async close(contextId) {
      const response = await call(contextPath(contextId), { method: "DELETE" });
      if (response.status !== 404) await expectOk(response, "closing the interpreter");
    },
  };

  function lostConnection(cause?: unknown) {
    return new SandboxUnreachableError(`The connection to the code sandbox at ${where} kept breaking off.`, {
      cause,
    });
  }
}

/** workerd sends a Content-Length only for a stream of known length. */
function withLength(body: ReadableStream<Uint8Array>, size: number): ReadableStream<Uint8Array> {
  return body.pipeThrough(new FixedLengthStream(size));
}

function errorCode(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; message?: string } };
    return error?.code ? ` It says: ${error.code}${error.message ? ` (${error.message})` : ""}.` : "";
  } catch {
    return "";
  }
}

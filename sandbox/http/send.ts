import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { SandboxError } from "../errors.ts";

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/** Tells the caller what went wrong; what nobody foresaw goes to the log and shows nothing of itself. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof SandboxError)) console.error("sandbox:", error);
  const refusal =
    error instanceof SandboxError ? error : new SandboxError("internal", "Something went wrong.");
  if (response.headersSent) return void response.destroy();
  const retryAfter = refusal.details?.["retry_after"];
  // The body may not have been read to its end; a next request on this connection would start inside it.
  const headers = { connection: "close", ...(retryAfter ? { "retry-after": String(retryAfter) } : {}) };
  sendJson(response, refusal.status, refusal.body, headers);
}

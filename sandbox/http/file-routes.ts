import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { SandboxError } from "../errors.ts";
import { MAXIMUM_FILE } from "../working-folder.ts";
import type { WorkingFolder } from "../working-folder.ts";
import { sendJson } from "./send.ts";

/** GET /files, and GET, HEAD, PUT, DELETE /files/{path}. */
export async function handleFiles(
  request: IncomingMessage,
  response: ServerResponse,
  files: WorkingFolder,
  segments: string[],
): Promise<void> {
  const { method } = request;
  if (segments.length === 0 || (segments.length === 1 && segments[0] === "")) {
    if (method !== "GET")
      throw new SandboxError("method_not_allowed", "The folder itself can only be listed.");
    return sendJson(response, 200, { files: await files.list() });
  }
  if (method === "PUT") {
    if (Number(request.headers["content-length"] ?? 0) > MAXIMUM_FILE) {
      throw new SandboxError("too_large", `A file has at most ${MAXIMUM_FILE} bytes.`);
    }
    const { info, etag, created } = await files.put(segments, request);
    return sendJson(response, created ? 201 : 200, { ...info, etag }, { etag: `"${etag}"` });
  }
  if (method === "DELETE") {
    await files.remove(segments);
    return void response.writeHead(204).end();
  }
  if (method !== "GET" && method !== "HEAD") {
    throw new SandboxError("method_not_allowed", "A file is read, put or deleted.");
  }
  await sendFile(request, response, files, segments);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  files: WorkingFolder,
  segments: string[],
): Promise<void> {
  const { info, etag, handle } = await files.open(segments);
  try {
    const headers = {
      etag: `"${etag}"`,
      "last-modified": new Date(info.mtime).toUTCString(),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    };
    if (request.headers["if-none-match"] === headers.etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, {
      ...headers,
      "content-type": "application/octet-stream",
      "content-length": info.size,
    });
    if (request.method === "HEAD" || info.size === 0) return void response.end();
    // The length is promised, so a file that grows meanwhile is cut there.
    await pipeline(handle.createReadStream({ start: 0, end: info.size - 1, autoClose: false }), response);
  } finally {
    await handle.close();
  }
}

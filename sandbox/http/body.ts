import type { IncomingMessage } from "node:http";
import { SandboxError } from "../errors.ts";

const MAXIMUM_JSON = 16 * 1024 * 1024;

/** The request's JSON; an empty body is an empty object. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAXIMUM_JSON)
      throw new SandboxError("too_large", `A JSON body has at most ${MAXIMUM_JSON} bytes.`);
    pieces.push(piece);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new SandboxError("invalid_request", "The body is not JSON.");
  }
}

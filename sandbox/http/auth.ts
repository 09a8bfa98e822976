import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SandboxError } from "../errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Refuses a request without the token. Hashes are compared, so neither contents nor length show in the time it takes. */
export function createAuthentication(token: string): (request: IncomingMessage) => void {
  const expected = digest(token);
  return (request) => {
    const [, given] = /^bearer +(.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (!timingSafeEqual(digest(given ?? ""), expected) || given === undefined) {
      throw new SandboxError(
        "unauthorized",
        "Send the sandbox's token: Authorization: Bearer <SANDBOX_TOKEN>.",
      );
    }
  };
}

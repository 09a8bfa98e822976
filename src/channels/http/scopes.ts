import type { Scope } from "../../keys/key.ts";

/** What tells of the whole deployment or of all keys is for those who run it. */
const ADMIN = new Set(["GET /v1/config", "GET /v1/usage"]);
/** Asks by POST, and changes nothing. */
const READING = /^POST \/v1\/((experiences|documents)\/search|.*\/link)$/;

/** What a key must be good for to call a route. */
export function scopeOf(method: string, path: string): Scope {
  const route = `${method === "HEAD" ? "GET" : method} ${path}`;
  if (ADMIN.has(route)) return "admin";
  return route.startsWith("GET ") || READING.test(route) ? "read" : "chat";
}

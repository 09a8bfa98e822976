import type { SessionRef } from "../memory/session.ts";

/** Under which all that a session has in R2 lies, and nothing of any other session. */
export function sessionPrefix({ tenant, id }: SessionRef): string {
  return `${encodeURIComponent(tenant)}/${encodeURIComponent(id)}/`;
}

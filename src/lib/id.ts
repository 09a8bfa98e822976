/** An id as TaskWeaver makes them: prefix, UTC time, eight random hex digits (`post-20261121-111252-1a2b3c4d`). */
export function createId(prefix: string, now: Date = new Date()): string {
  const time = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const random = crypto.getRandomValues(new Uint8Array(4));
  return `${prefix}-${time}-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The id of a round's nth Post: the same whoever makes it, and however often. */
export function postId(roundId: string, seq: number): string {
  return `post-${roundId.replace(/^round-/, "")}-${seq}`;
}

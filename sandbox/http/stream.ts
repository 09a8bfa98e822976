import type { ServerResponse } from "node:http";
import type { Execution } from "../execution.ts";
import type { ExecutionEvent } from "../protocol.ts";

const MAXIMUM_WAITING = 32 * 1024 * 1024;

/** Sends an execution's events as lines: the stored ones, and as long as it runs the new ones. The client may go away;
 *  the execution goes on. */
export function sendEvents(
  response: ServerResponse,
  execution: Execution | ExecutionEvent[],
  after: number,
): void {
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  if (Array.isArray(execution)) {
    response.end(replay(execution, after).map(toLine).join(""));
    return;
  }
  const stop = execution.listen(after, (event) => {
    response.write(toLine(event));
    // A client that doesn't read would make this process hold everything; it can attach again.
    if (response.writableLength > MAXIMUM_WAITING) response.destroy();
  });
  response.once("close", stop);
  void execution.finished.then(() => response.end());
}

/** What follows `after`, and at least the last line: a stream without it would look cut. */
function replay(events: ExecutionEvent[], after: number): ExecutionEvent[] {
  const following = events.filter(({ seq }) => seq > after).map(closed);
  const last = events.at(-1);
  return following.length === 0 && last ? [{ ...last, seq: Math.max(last.seq, after + 1) }] : following;
}

/** Nothing waits for the calls of an execution that has ended. */
const closed = (event: ExecutionEvent): ExecutionEvent =>
  event.type === "call" ? { ...event, answered: true } : event;

const toLine = (event: ExecutionEvent) => `${JSON.stringify(event)}\n`;

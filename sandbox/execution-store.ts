import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ExecutionEvent, LostReason } from "./protocol.ts";

const KEPT = 20;

/**
 * The executions of one context on disk, a file of events each. Written as they happen and synchronously, so that an
 * execution is known before its code runs, and is never run again whatever becomes of this process. The last 20 can be
 * replayed; of older ones only remains that they were.
 */
export class ExecutionStore {
  readonly #folder: string;
  /** Files that hold more than a marker, the oldest first. */
  readonly #whole: string[];
  #count: number;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const names = readdirSync(folder);
    this.#count = names.length;
    // Looked at once: a context may have had thousands, and each cell would pay for all of them.
    this.#whole = names
      .map((name) => ({ path: join(folder, name), status: statSync(join(folder, name)) }))
      .filter(({ status }) => status.size > MARKER.length)
      .toSorted((a, b) => a.status.mtimeMs - b.status.mtimeMs)
      .map(({ path }) => path);
  }

  /** How many executions this context has ever had. */
  get count(): number {
    return this.#count;
  }

  append(executionId: string, event: ExecutionEvent): void {
    const path = this.#path(executionId);
    appendFileSync(path, `${JSON.stringify(event)}\n`, { mode: 0o600 });
    if (event.type !== "started") return;
    this.#count += 1;
    this.#whole.push(path);
  }

  /** The whole stream of an execution that isn't running, undefined if it never was. One whose end is missing was running
   *  when the server ended, and is lost. */
  read(executionId: string): ExecutionEvent[] | undefined {
    const path = this.#path(executionId);
    if (!existsSync(path)) return undefined;
    const events = parseLines(readFileSync(path, "utf8"));
    const last = events.at(-1);
    if (last?.type === "done" || last?.type === "lost") return events;
    const lost = lostEvent((last?.seq ?? 0) + 1, "server_restarted");
    writeFileSync(path, [...events, lost].map((event) => `${JSON.stringify(event)}\n`).join(""));
    return [...events, lost];
  }

  /** Empties all but the last executions. */
  prune(): void {
    for (const path of this.#whole.splice(0, Math.max(0, this.#whole.length - KEPT))) {
      writeFileSync(path, MARKER);
    }
  }

  #path(executionId: string): string {
    const name = createHash("sha256").update(executionId).digest("hex").slice(0, 40);
    return join(this.#folder, `${name}.ndjson`);
  }
}

const lostEvent = (seq: number, reason: LostReason): ExecutionEvent => ({ type: "lost", reason, seq });
const MARKER = `${JSON.stringify(lostEvent(1, "expired"))}\n`;

/** A process that was killed may leave half a line at the end. */
function parseLines(text: string): ExecutionEvent[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ExecutionEvent);
}

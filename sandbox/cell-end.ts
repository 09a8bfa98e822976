import type { CellOutcome } from "./engines/engine.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionEventBody } from "./protocol.ts";

/** Tells the execution how its cell ended, all but the last event: that one is returned. `excess` says what is wrong with
 *  the disk, and then that is the error. */
export function concludeCell(
  execution: Execution,
  outcome: CellOutcome,
  { startedAt, timeoutMs, excess }: { startedAt: number; timeoutMs: number; excess: string | undefined },
): ExecutionEventBody {
  if (excess !== undefined) execution.add(diskError(excess, outcome));
  if (outcome.type === "lost") return excess === undefined ? outcome : { type: "lost", reason: "disk_limit" };
  if (outcome.error && excess === undefined) {
    execution.add(errorEvent(outcome.error, outcome.stopped, timeoutMs));
  }
  return {
    type: "done",
    status: excess === undefined ? (outcome.stopped ?? outcome.status) : "failure",
    duration_ms: Math.round(performance.now() - startedAt),
    ...(outcome.truncated ? { truncated: true } : {}),
    files_changed: outcome.filesChanged,
    variables: outcome.variables,
  };
}

function errorEvent(
  error: { name: string; message: string; traceback: string },
  stopped: "timeout" | "interrupted" | undefined,
  timeoutMs: number,
): ExecutionEventBody {
  if (stopped !== "timeout") return { type: "error", ...error };
  const message = `The code ran longer than ${timeoutMs} ms and was stopped. Variables are kept.`;
  return {
    type: "error",
    name: "TimeoutError",
    message,
    traceback: `${error.traceback}TimeoutError: ${message}\n`,
  };
}

function diskError(message: string, outcome: CellOutcome): ExecutionEventBody {
  const before = outcome.type === "finished" ? (outcome.error?.traceback ?? "") : "";
  return {
    type: "error",
    name: "DiskLimitError",
    message,
    traceback: `${before}DiskLimitError: ${message}\n`,
  };
}

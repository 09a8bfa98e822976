import type { CellOutcome } from "./engines/engine.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionEventBody } from "./protocol.ts";

/** Tells the execution how its cell ended, all but the last event: that one is returned. */
export function concludeCell(
  execution: Execution,
  outcome: CellOutcome,
  { startedAt, timeoutMs }: { startedAt: number; timeoutMs: number },
): ExecutionEventBody {
  if (outcome.type === "lost") return outcome;
  if (outcome.error) execution.add(errorEvent(outcome.error, outcome.stopped, timeoutMs));
  return {
    type: "done",
    status: outcome.stopped ?? outcome.status,
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

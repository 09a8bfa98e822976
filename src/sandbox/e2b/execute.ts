import { readLines } from "../../lib/read-lines.ts";
import { EVENT_MIME } from "../kernel-programs.ts";

interface Line {
  type: string;
  name?: string;
  extra?: Record<string, unknown> | null;
}

/** Reads what an execution says, to its end. MIME types that E2B has no field for come as `extra`. */
export async function runInContext(
  response: Response,
  onEvent: (event: unknown) => void,
): Promise<"ended" | "died" | "cut"> {
  try {
    for await (const text of readLines(response.body!)) {
      const line = JSON.parse(text) as Line;
      const event = line.type === "result" ? line.extra?.[EVENT_MIME] : undefined;
      if (event !== undefined) onEvent(event);
      // The context has the same id after that, and nothing that it held.
      if (line.type === "error" && line.name === "ContextRestarting") return "died";
      if (line.type === "unexpected_end_of_execution") return "died";
      if (line.type === "end_of_execution") return "ended";
    }
  } catch {
    // The connection broke.
  }
  return "cut";
}

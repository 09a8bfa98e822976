/** What a worker told the Planner. */
export type WorkerReport =
  | { kind: "ran"; output: string; value: string; files: string[] }
  | { kind: "failed"; error: string }
  | { kind: "said"; text: string };

/** Reads the CodeInterpreter's account of the code that it ran; any other text is what a worker said. */
export function readWorkerReport(message: string): WorkerReport {
  const verdict = /\n```\s*\nIt (succeeded|failed)\.[^\n]*/.exec(message);
  if (!message.includes("I ran this code:") || !verdict) return { kind: "said", text: message.trim() };
  const account = message.slice(verdict.index + verdict[0].length);
  if (verdict[1] === "failed") return { kind: "failed", error: lastErrorLine(account) };
  const files = /\nFiles: (.+)\s*$/.exec(account);
  const body = files ? account.slice(0, files.index) : account;
  const output = /^Output:\n?/m.exec(body);
  const value = /^Value: ?/m.exec(output ? body.slice(0, output.index) : body);
  return {
    kind: "ran",
    output: output ? body.slice(output.index + output[0].length).trimEnd() : "",
    value: value ? body.slice(value.index + value[0].length, output?.index).trim() : "",
    files: files?.[1]?.split(/, /).map((name) => name.trim()) ?? [],
  };
}

/** The line of a traceback that names the error. */
export function lastErrorLine(text: string): string {
  const lines = text
    .replace(/\nFiles: .*\s*$/, "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const named = lines.findLast((line) =>
    /^[\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Timeout)\b/.test(line),
  );
  return named ?? lines.at(-1) ?? "no reason was given";
}

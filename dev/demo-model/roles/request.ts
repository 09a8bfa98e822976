import { ownReply, type Turn } from "../conversation.ts";
import { readTables, type Table } from "../table/table.ts";
import { readWorkerReport, type WorkerReport } from "./worker-report.ts";

/** One request of the User and what came of it so far. */
export interface UserRequest {
  text: string;
  /** Files that came with the request. */
  files: string[];
  reports: WorkerReport[];
  /** Why the Planner ended the round, once it has. */
  stop: string;
}

/** The conversation as the Planner sees it: requests, oldest first; the last is the one to work on. */
export function readRequests(turns: Turn[]): UserRequest[] {
  const requests: UserRequest[] = [];
  // A turn from the Planner itself only asks to write an unusable reply again.
  for (const turn of turns) {
    const current = requests.at(-1);
    if (turn.speaker === "assistant") {
      if (current) current.stop = String(ownReply(turn).stop ?? "");
    } else if (turn.from === "User") {
      requests.push({ ...readFiles(turn.message), reports: [], stop: "" });
    } else if (turn.from !== "Planner") current?.reports.push(readWorkerReport(turn.message));
  }
  return requests;
}

/** "files added: a.csv, b.csv." may stand in front of a message, on a line of its own or before the first words. */
function readFiles(message: string): { text: string; files: string[] } {
  const found =
    /^files added: (.+)\.[ \t]*(?:\n|$)/i.exec(message) ?? /^files added: (.+?\.\w+)\.\s/i.exec(message);
  if (!found) return { text: message, files: [] };
  return {
    text: message.slice(found[0].length).trim(),
    files: (found[1] ?? "")
      .split(/, /)
      .map((name) => name.trim())
      .filter(Boolean),
  };
}

export interface KnownFiles {
  /** Every file of the conversation, the newest last. */
  names: string[];
  /** What was seen of those that are loaded; a file that was added again has to be loaded again. */
  tables: Map<string, Table>;
}

export function knownFiles(requests: UserRequest[]): KnownFiles {
  const names: string[] = [];
  const tables = new Map<string, Table>();
  for (const request of requests) {
    for (const file of request.files) {
      if (names.includes(file)) names.splice(names.indexOf(file), 1);
      names.push(file);
      tables.delete(file);
    }
    for (const report of request.reports) {
      if (report.kind === "ran") for (const table of readTables(report.output)) tables.set(table.file, table);
    }
  }
  return { names: [...new Set([...names, ...tables.keys()])], tables };
}

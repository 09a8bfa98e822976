import type { Turn } from "../conversation.ts";
import type { Table } from "../table/table.ts";
import { readRequests } from "./request.ts";
import { MARK } from "./small-talk.ts";
import { understand, type Step } from "./understand.ts";
import type { WorkerReport } from "./worker-report.ts";

export interface PlannerReply {
  plan_reasoning: string;
  init_plan: string;
  plan: string;
  current_plan_step: string;
  stop:
    | "InProcess"
    | "Completed"
    | "Clarification"
    | "AdditionalInformation"
    | "SecurityRisks"
    | "TaskFailure";
  send_to: string;
  message: string;
}

const CODER = "CodeInterpreter";
const MOST_EXCHANGES = 4;

/** The Planner's next reply: the next step for the CodeInterpreter, or the answer to the User. */
export function planNext(turns: Turn[], { workers }: { workers?: string[] }): PlannerReply {
  const requests = readRequests(turns);
  const request = requests.at(-1);
  const failure = request && failureOf(request.reports);
  if (failure) return toUser("A step failed for good.", [], failure, "TaskFailure");

  const intent = understand(requests);
  if (intent.kind === "say") return toUser("This needs no code.", [], intent.message, intent.stop);
  const reports = (request?.reports ?? []).filter((report) => report.kind === "ran");
  const loads = reports.filter((report) => report.output.startsWith("Table "));
  if (intent.kind === "shown") {
    return toUser("The file was to be looked at.", [], describeTable(intent.table), "Completed");
  }
  if (workers && !workers.includes(CODER)) {
    return toUser(
      "There is nobody who could run code.",
      [],
      `I need the ${CODER} for that, and this session hasn't got it.`,
      "TaskFailure",
    );
  }
  if (reports.length >= MOST_EXCHANGES) {
    return toUser("That took too many steps.", [], "I gave up after too many steps.", "TaskFailure");
  }
  if (intent.kind === "load") {
    const plan = [intent.step.title, `Work out what was asked: ${short(request?.text ?? "")}`];
    return toCoder(
      "The columns have to be known before anything can be planned over them.",
      plan,
      0,
      intent.step,
    );
  }

  const loaded = loads.length > 0 ? ["Load the data and see its columns"] : [];
  const plan = [...loaded, ...intent.steps.map((step) => step.title)];
  const done = reports.length - loads.length;
  const next = intent.steps[done];
  if (next) {
    const reason =
      loads.length > 0
        ? "The columns are known now, so the figures can be asked for by name."
        : "This takes a computation.";
    return toCoder(reason, plan, loaded.length + done, next);
  }
  return toUser(
    "Every step is done.",
    plan,
    answerFrom(reports.filter((report) => !loads.includes(report))),
    "Completed",
  );
}

function failureOf(reports: WorkerReport[]): string | undefined {
  const last = reports.at(-1);
  if (last?.kind === "failed") return `That didn't work: the code failed with\n${last.error}`;
  if (last?.kind === "said") return `That didn't work. ${CODER} says: ${last.text.replace(MARK, "").trim()}`;
  return undefined;
}

function answerFrom(reports: Extract<WorkerReport, { kind: "ran" }>[]): string {
  const found = reports.map((report) => report.output || report.value).filter(Boolean);
  const files = [...new Set(reports.flatMap((report) => report.files))];
  return [
    found.length > 0 ? found.join("\n\n") : "The code ran and printed nothing.",
    ...(files.length > 0 ? [`Files: ${files.join(", ")}`] : []),
  ].join("\n\n");
}

function describeTable({ file, rows, columns }: Table): string {
  const list = columns.map((column) => {
    const more = column.range
      ? `, ${column.range.first} to ${column.range.last}`
      : column.values.length > 0
        ? `: ${column.values.join(", ")}`
        : "";
    return `- ${column.name} (${column.type}${more})`;
  });
  return [
    `${file} is loaded: ${rows} rows, ${columns.length} columns.`,
    ...list,
    "What would you like to know about it?",
  ].join("\n");
}

function toCoder(reasoning: string, steps: string[], current: number, step: Step): PlannerReply {
  return {
    plan_reasoning: reasoning,
    ...writePlan(steps),
    current_plan_step: `${current + 1}. ${step.title}`,
    stop: "InProcess",
    send_to: CODER,
    message: step.message,
  };
}

function toUser(
  reasoning: string,
  steps: string[],
  message: string,
  stop: PlannerReply["stop"],
): PlannerReply {
  const plan = writePlan(steps);
  return {
    plan_reasoning: reasoning,
    ...plan,
    current_plan_step: `${Math.max(steps.length, 1)}. ${steps.length > 0 ? `${steps.at(-1)} and report to the User` : "Answer the User"}`,
    stop,
    send_to: "User",
    message: `${message}\n\n${MARK}`,
  };
}

/** The steps one by one with what they depend on, and merged to what is really sent. */
function writePlan(steps: string[]): { init_plan: string; plan: string } {
  if (steps.length === 0) return { init_plan: "1. Answer the User", plan: "1. Answer the User" };
  const init = steps.map((step, index) => {
    if (index === 0) return `1. ${step}`;
    // What comes after the first look at the data has to be decided by the Planner; the rest follows by itself.
    const kind = index === 1 && steps[0]?.startsWith("Load") ? "interactively" : "sequentially";
    return `${index + 1}. ${step} <${kind} depends on ${index}>`;
  });
  init.push(`${steps.length + 1}. Report to the User <sequentially depends on ${steps.length}>`);
  const merged = steps.map(
    (step, index) => `${index + 1}. ${step}${index === steps.length - 1 ? " and report to the User" : ""}`,
  );
  return { init_plan: init.join("\n"), plan: merged.join("\n") };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 117)}...` : line || "what the file holds";
}

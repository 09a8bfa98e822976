import { parseQuestions } from "../table/parse.ts";
import { nameQuestion, type TableQuestion } from "../table/question.ts";
import type { Table } from "../table/table.ts";
import { stem, stems } from "../table/words.ts";
import { findWork } from "../topics/topics.ts";
import { describeInstruction } from "./instruction.ts";
import { knownFiles, type KnownFiles, type UserRequest } from "./request.ts";
import { NO_PASTED_CODE, NOT_UNDERSTOOD, smallTalk, UNABLE } from "./small-talk.ts";

/** One thing that the CodeInterpreter is to do. */
export interface Step {
  title: string;
  message: string;
}

export type Intent =
  | { kind: "say"; message: string; stop: "Completed" | "Clarification" | "AdditionalInformation" }
  /** Nothing can be planned before these files are loaded. */
  | { kind: "load"; step: Step }
  | { kind: "steps"; steps: Step[] }
  /** Loading was all that was asked for. */
  | { kind: "shown"; table: Table };

const ABOUT_DATA =
  /\b(?:csv|tsv|files?|tables?|data|dataset|spreadsheet|columns?|rows?|records?|mean|average|median|total|sum|max(?:imum)?|min(?:imum)?|highest|lowest|top \d+|chart|plot|graph|draw|how many|how much|distinct|unique|sort|filter|correlation|load|per|by \w+|sales|revenue|price|most|least)\b/i;
const LOADING = /\b(?:load|open|read|import|look at|upload(?:ed)?|parse|attached|take a look)\b/i;
const POINTING =
  /^(?:here(?: it is| you go| you are| is the file)?|this one|there you go|the file|done|attached)?[\s.!]*$/i;

/** What the last request asks for, given everything before it. */
export function understand(requests: UserRequest[]): Intent {
  const request = requests.at(-1);
  if (!request) return { kind: "say", message: NOT_UNDERSTOOD, stop: "Completed" };
  const earlier = requests.slice(0, -1);
  const text = effectiveText(request, earlier);
  const talk = request.files.length === 0 ? smallTalk(text) : undefined;
  if (talk) return { kind: "say", message: talk, stop: "Completed" };

  const files = knownFiles(requests);
  const table = chooseTable(text, request, files);
  const work = findWork(text);
  if (work && !(table && mentionsColumn(text, table))) {
    return {
      kind: "steps",
      steps: [{ title: work.instruction.replace(/[.?]$/, ""), message: work.instruction }],
    };
  }
  if (/```|\bdef \w+\(|\bimport \w+|\bprint\(|\beval\(/.test(text) && !table)
    return { kind: "say", message: NO_PASTED_CODE, stop: "Completed" };

  if (files.names.length === 0) {
    if (!ABOUT_DATA.test(text)) return { kind: "say", message: NOT_UNDERSTOOD, stop: "Completed" };
    return {
      kind: "say",
      message: "Which data is that about? Please add a CSV file to your message and ask again.",
      stop: "Clarification",
    };
  }
  const unloaded = filesToLoad(text, request, files);
  if (unloaded.length > 0) return planLoading(unloaded);
  if (!table) return { kind: "say", message: NOT_UNDERSTOOD, stop: "Completed" };
  return askTable(text, table, previousQuestion(earlier, table));
}

/** A short answer to a question of ours, or the file that was missing, completes the request before it. */
function effectiveText(request: UserRequest, earlier: UserRequest[]): string {
  const before = earlier.at(-1);
  const asked = before?.stop === "Clarification" || before?.stop === "AdditionalInformation";
  if (!asked || !before) return request.text;
  if (POINTING.test(request.text)) return before.text;
  const table = [...knownFiles(earlier).tables.values()].at(-1);
  if (!table || request.text.split(/\s+/).length > 4) return request.text;
  const column = table.columns.find(
    (each) =>
      each.name.toLowerCase() ===
      request.text
        .toLowerCase()
        .replace(/^(?:the|use|by)\s+|[."'?!]/g, "")
        .trim(),
  );
  const reading = parseQuestions(before.text, table.columns);
  if (!column || reading.kind !== "missing" || !reading.word) return request.text;
  return before.text.replace(new RegExp(reading.word, "i"), () => JSON.stringify(column.name));
}

function named(text: string, file: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes(file.toLowerCase());
}

function isTable(file: string): boolean {
  return /\.(?:csv|tsv|txt|tab|dat)$/i.test(file) || !file.includes(".");
}

function filesToLoad(text: string, request: UserRequest, files: KnownFiles): string[] {
  const mentioned = files.names.filter((file) => named(text, file));
  const wanted =
    mentioned.length > 0
      ? mentioned
      : request.files.length > 0
        ? request.files
        : files.tables.size > 0
          ? []
          : files.names.slice(-1);
  return wanted.filter((file) => !files.tables.has(file));
}

function planLoading(files: string[]): Intent {
  const readable = files.filter(isTable);
  if (readable.length === 0) {
    return {
      kind: "say",
      message: `I can only read tables in CSV or TSV files, and ${files.join(", ")} is something else.`,
      stop: "Clarification",
    };
  }
  return {
    kind: "load",
    step: {
      title: `Load ${readable.join(", ")} and see its columns`,
      message: describeInstruction({ kind: "load", files: readable }),
    },
  };
}

/** The table that a request is about: one that it names, else one that came with it, else the newest. */
function chooseTable(text: string, request: UserRequest, { names, tables }: KnownFiles): Table | undefined {
  const known = names.flatMap((name) => tables.get(name) ?? []);
  const byName = known.filter((table) => named(text, table.file));
  if (byName.length > 0) return byName[0];
  const fresh = known.filter((table) => request.files.includes(table.file));
  const candidates = (fresh.length > 0 ? fresh : known).toReversed();
  return (
    candidates.find((table) => parseQuestions(text, table.columns).kind === "questions") ?? candidates[0]
  );
}

function mentionsColumn(text: string, table: Table): boolean {
  const reading = parseQuestions(text, table.columns);
  return (
    reading.kind === "questions" &&
    reading.questions.some((question) => JSON.stringify(question).includes('"column'))
  );
}

/** The request without the file's name, which would else be read as a column or a value. */
function withoutFile(text: string, file: string): string {
  const at = text.toLowerCase().indexOf(file.toLowerCase());
  if (at < 0) return text;
  const before = text
    .slice(0, at)
    .replace(
      /(?:\b(?:in|from|of|for|using|with|on|to|about|load|open|read)\s+)?(?:the |my |this )*(?:attached |uploaded )*(?:csv |data )*(?:file |table )?(?:called |named )?["'`(]*$/i,
      " ",
    );
  return `${before}${text.slice(at + file.length).replace(/^["'`)]+/, "")}`;
}

/** The rows of orders.csv are its orders, unless a column or a value is called so. */
function withoutSubject(text: string, { file, columns }: Table): string {
  const subject = stems(file.replace(/\.\w+$/, "")).at(-1) ?? "";
  const names = columns.flatMap(({ name, values }) => [
    ...(/id$/i.test(name) ? [] : stems(name)),
    ...values.flatMap(stems),
  ]);
  if (subject.length < 3 || names.includes(subject)) return text;
  return text.replace(/\p{L}+/gu, (word) => (stem(word) === subject ? "rows" : word));
}

function askTable(wording: string, table: Table, previous?: TableQuestion): Intent {
  const text = withoutSubject(withoutFile(wording, table.file), table);
  const reading = parseQuestions(text, table.columns, previous);
  const names = table.columns.map((column) => column.name).join(", ");
  switch (reading.kind) {
    case "questions":
      return { kind: "steps", steps: stepsFor(table.file, reading.questions) };
    case "missing": {
      const what = reading.word
        ? `I found no column or value for "${reading.word}" in ${table.file}.`
        : `I'm not sure which column of ${table.file} you mean.`;
      return {
        kind: "say",
        message: `${what} Its columns are: ${names}. Which one do you mean?`,
        stop: "Clarification",
      };
    }
    case "unable":
      return { kind: "say", message: UNABLE(reading.word), stop: "Clarification" };
    case "nothing":
      if (LOADING.test(wording) || /^\W*$/.test(text)) return { kind: "shown", table };
      return {
        kind: "say",
        message: `${NOT_UNDERSTOOD}\n\nThe columns of ${table.file} are: ${names}.`,
        stop: "Clarification",
      };
  }
}

/** Figures in one step, charts in the next. */
function stepsFor(file: string, questions: TableQuestion[]): Step[] {
  return [
    questions.filter((question) => question.ask !== "chart"),
    questions.filter((question) => question.ask === "chart"),
  ]
    .filter((part) => part.length > 0)
    .map((part) => ({
      title: part
        .map((question) => (question.ask === "chart" ? "draw the " : "find the ") + stepName(question))
        .join(" and "),
      message: describeInstruction({ kind: "questions", file, questions: part }),
    }));
}

function stepName(question: TableQuestion): string {
  return nameQuestion(question).replace(/^(?:draw a |list the )/, "");
}

/** The last question that was asked of the table before, for "and by product?". */
function previousQuestion(earlier: UserRequest[], table: Table): TableQuestion | undefined {
  for (const request of earlier.toReversed().slice(0, 3)) {
    const reading = parseQuestions(withoutFile(request.text, table.file), table.columns);
    if (reading.kind === "questions") return reading.questions.at(-1);
  }
  return undefined;
}

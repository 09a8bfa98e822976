import type { Turn } from "../conversation.ts";
import { instructionPython, parseInstruction, type Instruction } from "./instruction.ts";
import { CANNOT_DO_THAT } from "./small-talk.ts";
import { lastErrorLine } from "./worker-report.ts";

export interface CodeReply {
  thought: string;
  reply_type: "python" | "text";
  reply_content: string;
}

/** What the mistakes so far teach about writing the program anew. */
interface Lessons {
  tolerant: boolean;
  reload: boolean;
}

/** The CodeInterpreter's next reply: code for the last instruction, mended after each failure that is understood. */
export function writeCode(turns: Turn[]): CodeReply {
  const asked = turns.filter((turn) => turn.speaker === "user");
  const { instruction, failures } = lastInstruction(asked);
  if (!instruction) return say(CANNOT_DO_THAT);

  const lessons = failures.map(lessonOf);
  const error = failures.at(-1);
  const newest = lessons.at(-1);
  if (error !== undefined && (!newest || lessons.slice(0, -1).some((lesson) => lesson === newest))) {
    return say(`The code failed and these rules know no way to mend it: ${lastErrorLine(error)}`);
  }
  const options: Lessons = { tolerant: lessons.includes("tolerant"), reload: lessons.includes("reload") };
  return {
    thought: thoughtOn(instruction, newest, error),
    reply_type: "python",
    reply_content: instructionPython(instruction, options),
  };
}

/** The instruction that is worked on, and how the programs for it have failed since it was given. */
function lastInstruction(asked: Turn[]): { instruction?: Instruction; failures: string[] } {
  const failures: string[] = [];
  let sameWords: string | undefined;
  let instruction: Instruction | undefined;
  for (const turn of asked.toReversed()) {
    const failure = failureIn(turn);
    const parsed = parseInstruction(turn.message);
    // An instruction may be repeated along with what went wrong; a new one starts with a clean slate.
    if (parsed && sameWords !== undefined && turn.message !== sameWords) break;
    if (parsed) {
      instruction = parsed;
      sameWords = turn.message;
      const isRepeat =
        failure !== undefined && asked.filter((other) => other.message === turn.message).length > 1;
      if (!isRepeat) break;
    } else if (failure === undefined) break;
    if (failure !== undefined) failures.unshift(failure);
  }
  return { instruction, failures };
}

/** What the feedback says about code that didn't run through; undefined when there is none or it did. */
function failureIn(turn: Turn): string | undefined {
  const feedback = turn.sections.get("Feedback");
  if (feedback === undefined) return undefined;
  const execution = /^Execution: *(\S+)/m.exec(feedback)?.[1] ?? "";
  const verification = /^Verification: *(\S+)/m.exec(feedback)?.[1] ?? "";
  if (/^(?:INCORRECT|FAIL)/i.test(verification)) return feedback;
  return /^(?:FAIL|ERROR|TIMEOUT)/i.test(execution) ? feedback : undefined;
}

function lessonOf(failure: string): keyof Lessons | undefined {
  const error = lastErrorLine(failure);
  if (error.startsWith("ValueError: could not convert string to float")) return "tolerant";
  // The interpreter's memory is gone, or this table was never in it.
  if (/^NameError|^KeyError/.test(error)) return "reload";
  return undefined;
}

function thoughtOn(
  instruction: Instruction,
  lesson: keyof Lessons | undefined,
  error: string | undefined,
): string {
  if (lesson === "tolerant") {
    const cell = /could not convert string to float: (.+)$/.exec(lastErrorLine(error ?? ""))?.[1] ?? "a cell";
    return `${cell} is no plain number, so the column has to be read with care for separators and text.`;
  }
  if (lesson === "reload") return "The table is no longer in memory, so the code has to load it again.";
  switch (instruction.kind) {
    case "load":
      return "The files are read with the csv module; their columns are shown with the kind of values that they hold.";
    case "questions":
      return "The table is in memory, so the standard library is enough to work this out.";
    case "work":
      return "A few lines of Python give the exact answer.";
  }
}

function say(text: string): CodeReply {
  return { thought: "No code is written for this.", reply_type: "text", reply_content: text };
}

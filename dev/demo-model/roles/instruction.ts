import { pythonString as quote } from "../python-literal.ts";
import { describeLoading, loadingPython, parseLoading, reloadingPython } from "../table/loading.ts";
import { parseQuestions } from "../table/parse.ts";
import { questionsPython, type WritingOptions } from "../table/python.ts";
import { describeQuestion, type TableQuestion } from "../table/question.ts";
import { findWork } from "../topics/topics.ts";

/** What the Planner asks the CodeInterpreter for. Both are this model, so both read the same sentences. */
export type Instruction =
  | { kind: "load"; files: string[] }
  | { kind: "questions"; file: string; questions: TableQuestion[] }
  | { kind: "work"; python: string };

export function describeInstruction(instruction: Exclude<Instruction, { kind: "work" }>): string {
  if (instruction.kind === "load") return describeLoading(instruction.files);
  return [
    `In the file ${quote(instruction.file)}:`,
    ...instruction.questions.map((question) => `- ${describeQuestion(question)}`),
  ].join("\n");
}

/** Reads an instruction; undefined when it isn't one that these rules can write code for. */
export function parseInstruction(text: string): Instruction | undefined {
  const files = parseLoading(text);
  if (files) return { kind: "load", files };
  const about = /^In the file ("(?:[^"\\]|\\.)*"):\n([\s\S]+)$/m.exec(text);
  if (about) {
    const questions = (about[2] ?? "").split("\n").flatMap((line) => {
      const reading = line.startsWith("- ") ? parseQuestions(line.slice(2), []) : undefined;
      return reading?.kind === "questions" ? reading.questions : [];
    });
    return questions.length > 0
      ? { kind: "questions", file: JSON.parse(about[1] ?? '""') as string, questions }
      : undefined;
  }
  const work = findWork(text);
  return work && { kind: "work", python: work.python };
}

export function instructionPython(
  instruction: Instruction,
  { tolerant, reload }: WritingOptions & { reload: boolean },
): string {
  switch (instruction.kind) {
    case "load":
      return loadingPython(instruction.files);
    case "questions": {
      const program = questionsPython(instruction.file, instruction.questions, { tolerant });
      return reload ? `${reloadingPython(instruction.file)}\n${program}` : program;
    }
    case "work":
      return instruction.python;
  }
}

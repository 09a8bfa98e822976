import { capMiddle } from "../lib/cap-middle.ts";
import type { ExecutionResult } from "../sandbox/python-session.ts";
import { showProblem, type Problem } from "../verification/problem.ts";

const PART_LIMIT = 6000;

/** What running the code came to, for the attachment, the feedback and the Planner: value and output and error. */
export function resultText(result: ExecutionResult): string {
  const parts: string[] = [];
  if (result.value !== undefined) parts.push(`Value: ${capMiddle(result.value, PART_LIMIT)}`);
  if (result.stdout !== "") parts.push(`Output:\n${capMiddle(result.stdout.trimEnd(), PART_LIMIT)}`);
  if (result.status !== "success") {
    const explanation = [result.stderr.trimEnd(), timeLimit(result), result.error?.trimEnd()];
    parts.push(
      `Error:\n${capMiddle(explanation.filter(Boolean).join("\n") || "It was stopped.", PART_LIMIT)}`,
    );
  }
  if (result.artifacts.length > 0)
    parts.push(`Files: ${result.artifacts.map(({ name }) => name).join(", ")}`);
  return parts.length > 0 ? parts.join("\n") : "It succeeded and showed nothing.";
}

function timeLimit({ status, durationMs }: ExecutionResult): string | undefined {
  if (status !== "timeout") return undefined;
  return `The code was stopped after ${Math.round(durationMs / 1000)} s: it took too long. Variables made so far are kept.`;
}

/** The message to whoever gave the instruction. */
export function reportText(
  code: string,
  result: ExecutionResult,
  language: "python" | "sh" = "python",
): string {
  const outcome = result.status === "success" ? "It succeeded." : "It failed.";
  const text = resultText(result);
  return [
    `I ran this ${language === "sh" ? "command" : "code"}:\n\`\`\`${language}\n${code}\n\`\`\``,
    outcome,
    text,
  ].join("\n");
}

/** The message when the code is against the rules. */
export function refusalText(code: string, problems: Problem[]): string {
  const found = problems.map(showProblem).join("\n");
  return `This code was not run:\n\`\`\`python\n${code}\n\`\`\`\nIt breaks the rules for code:\n${found}`;
}

/** Something in the code that it must not be run with; the place is in the text as the author wrote it, from 1. */
export interface Problem {
  line: number;
  column: number;
  /** What is wrong and what to do instead, for a model that will write the code anew. */
  message: string;
}

export function problemAt(code: string, offset: number, message: string): Problem {
  const before = code.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1, message };
}

export function showProblem({ line, column, message }: Problem): string {
  return `Line ${line}, column ${column}: ${message}`;
}

/** Something that is wrong in a project's file, told so that its author finds the place. */
export interface Problem {
  file: string;
  line?: number;
  field?: string;
  message: string;
}

export class ContentError extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super(problems.map(showProblem).join("\n"));
    this.problems = problems;
  }
}

export function showProblem({ file, line, field, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return field ? `${place}: ${field}: ${message}` : `${place}: ${message}`;
}

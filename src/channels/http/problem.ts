/** A refusal as the client gets it (RFC 9457). */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: { path: string; message: string }[] | undefined;
  readonly headers: Record<string, string>;
  constructor(
    status: number,
    code: string,
    detail: string,
    more: { errors?: { path: string; message: string }[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

const titles: Record<number, string> = {
  400: "Bad request",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Too large",
  415: "Unsupported media type",
  416: "Range not satisfiable",
  422: "Not acceptable as it is",
  429: "Too many requests",
  431: "Headers too large",
  500: "Internal error",
  503: "Unavailable",
};

export function problemResponse(problem: HttpProblem): Response {
  const { status, code, message: detail, errors, headers } = problem;
  const body = {
    type: `urn:taskweaver-edge:problem:${code}`,
    title: titles[status] ?? "Error",
    status,
    code,
    detail,
    ...(errors ? { errors } : {}),
  };
  return Response.json(body, { status, headers: { ...headers, "content-type": "application/problem+json" } });
}

export function sessionNotFound(id: string): HttpProblem {
  return new HttpProblem(404, "session_not_found", `There is no session "${id.slice(0, 100)}".`);
}

export function roundNotFound(): HttpProblem {
  return new HttpProblem(404, "round_not_found", "There is no such round in this session.");
}

export function sessionExists(id: string): HttpProblem {
  return new HttpProblem(409, "session_exists", `There is a session "${id.slice(0, 100)}" already.`);
}

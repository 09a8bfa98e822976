/** A refusal in the form that OpenAI's clients read. */
export class ChatError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

export function errorBody({
  code,
  message,
  param = null,
  status,
}: Pick<ChatError, "code" | "message" | "status"> & { param?: string | null }) {
  const type =
    status === 401
      ? "authentication_error"
      : status === 429
        ? "rate_limit_error"
        : status >= 500
          ? "server_error"
          : "invalid_request_error";
  return { error: { message, type, param, code } };
}

/**
 * A round that failed is told as 422: it is not to be sent again by itself, as OpenAI's clients do after a 5xx, a 409 or
 * a 429.
 */
export const ROUND_FAILED = 422;

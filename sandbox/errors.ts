import type { ErrorBody, ErrorCode } from "./protocol.ts";

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  invalid_name: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  context_not_found: 404,
  execution_not_found: 404,
  file_not_found: 404,
  context_busy: 409,
  context_lost: 409,
  call_not_found: 404,
  call_answered: 409,
  not_suspendable: 409,
  too_large: 413,
  too_many_contexts: 429,
  unsupported: 501,
  engine_failed: 503,
  not_ready: 503,
  internal: 500,
};

/** A refusal that the caller is told about. `details` are facts that a program can act on. */
export class SandboxError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = "SandboxError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS[this.code];
  }

  get body(): ErrorBody {
    const details = this.details ? { details: this.details } : {};
    return { error: { code: this.code, message: this.message, ...details } };
  }
}

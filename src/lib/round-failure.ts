/**
 * An error that ends a round in a way that its user can act on: the code is stable and part of the API, the message
 * says what happened, where, and what to do. Every other error ends the round as `role_failed`, its text kept from
 * the client.
 */
export class RoundFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

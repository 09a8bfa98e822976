/** The API has refused; `code` is for programs, the message for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: { path: string; message: string }[];
  constructor(
    status: number,
    code: string,
    detail: string,
    errors: { path: string; message: string }[] = [],
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  /** It may go well when it is tried again in a moment. */
  get mayPass(): boolean {
    return this.status >= 502;
  }

  static async of(response: Response): Promise<ApiError> {
    const text = await response.text();
    try {
      const { code, detail, errors } = JSON.parse(text) as Pick<ApiError, "code" | "errors"> & {
        detail: string;
      };
      return new ApiError(response.status, code, detail, errors);
    } catch {
      // Something before the API has answered.
      return new ApiError(response.status, "unknown", text.slice(0, 500) || `HTTP ${response.status}`);
    }
  }
}

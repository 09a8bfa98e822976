import { SandboxError } from "../errors.ts";

/** The decoded segments of a request's path. Taken from the raw target: URL would resolve `..` before anyone sees it. */
export function pathSegments(target: string): string[] {
  const [path = ""] = target.split("?", 1);
  try {
    return path.split("/").slice(1).map(decodeURIComponent);
  } catch {
    throw new SandboxError("invalid_request", "The path has a wrong % escape.");
  }
}

/** A context's or an execution's id: the caller's choice, within reason. */
export function checkId(id: string): string {
  // eslint-disable-next-line no-control-regex
  if (id === "" || id.length > 256 || /[\x00-\x1f\x7f]/.test(id)) {
    throw new SandboxError(
      "invalid_name",
      "An id has 1 to 256 characters, none of them a control character.",
    );
  }
  return id;
}

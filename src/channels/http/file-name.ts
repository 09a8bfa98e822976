import { InvalidFileNameError, parseFileName } from "../../files/files.ts";
import { HttpProblem } from "./problem.ts";

/** A path's part that names a file. @throws HttpProblem when it can't. */
export function fileName(part: string): string {
  try {
    return parseFileName(part);
  } catch (error) {
    if (error instanceof InvalidFileNameError) throw new HttpProblem(422, error.code, error.message);
    throw error;
  }
}

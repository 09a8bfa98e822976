import type * as z from "zod";
import { HttpProblem } from "./problem.ts";

/** The request's body, checked. @throws HttpProblem that says what is wrong with it, and where. */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = await request.text();
  if (text !== "" && type !== "application/json") {
    throw new HttpProblem(415, "unsupported_media_type", "Send JSON: Content-Type: application/json.");
  }
  let json: unknown = {};
  if (text !== "") {
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw new HttpProblem(
        400,
        "malformed_json",
        `The body is not valid JSON: ${(error as Error).message}.`,
      );
    }
  }
  return checkBody(json, schema);
}

/** What a body holds, checked. @throws HttpProblem that says what is wrong with it, and where. */
export function checkBody<Schema extends z.ZodType>(body: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const [first] = errors;
  const place = first?.path ? `${first.path}: ` : "";
  throw new HttpProblem(422, "invalid_body", `The body does not fit: ${place}${first?.message}.`, { errors });
}

/** Paging of lists: `limit` (20, at most 100) and the `cursor` of the page before. */
export function readPage(request: Request): { cursor?: string; limit: number } {
  const { searchParams } = new URL(request.url);
  const limit = Number(searchParams.get("limit") ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new HttpProblem(422, "invalid_limit", "limit must be a whole number from 1 to 100.");
  }
  const cursor = searchParams.get("cursor");
  return cursor === null ? { limit } : { cursor, limit };
}

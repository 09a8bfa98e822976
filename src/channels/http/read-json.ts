import * as z from "zod";
import { HttpProblem } from "./problem.ts";

const MAX_DEPTH = 64;

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
    if (isNestedDeeper(text, MAX_DEPTH)) {
      throw new HttpProblem(400, "malformed_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
    }
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

/** Whether JSON goes deeper than so many levels, told without parsing it. */
function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === '"') at = endOfString(text, at);
    if (depth > most) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
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

/** Paging of lists: so many, from the cursor of the page before on. */
export const page = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional(),
};

export function readPage(request: Request, cursorForm = /^/): { cursor?: string; limit: number } {
  const { searchParams } = new URL(request.url);
  const { success, data: limit } = page.limit.safeParse(searchParams.get("limit") ?? undefined);
  if (!success) {
    throw new HttpProblem(422, "invalid_limit", "limit must be a whole number from 1 to 100.");
  }
  const cursor = searchParams.get("cursor");
  if (cursor !== null && !cursorForm.test(cursor)) {
    throw new HttpProblem(422, "invalid_cursor", "cursor must be the next_cursor of the page before.");
  }
  return cursor === null ? { limit } : { cursor, limit };
}

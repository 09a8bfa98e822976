import type { MiddlewareHandler } from "hono";
import { HttpProblem } from "./problem.ts";

const MAX_HEADER_CHARACTERS = 32 * 1024;
const MAX_URL_CHARACTERS = 8 * 1024;

/** What no client of ours sends is turned away before anything is done on its account. */
export const limitHeaders: MiddlewareHandler = async (c, next) => {
  let characters = 0;
  for (const [name, value] of c.req.raw.headers) characters += name.length + value.length;
  if (characters > MAX_HEADER_CHARACTERS || c.req.url.length > MAX_URL_CHARACTERS) {
    throw new HttpProblem(
      431,
      "header_too_large",
      `The headers take ${MAX_HEADER_CHARACTERS} characters at most, the address ${MAX_URL_CHARACTERS}.`,
    );
  }
  await next();
};

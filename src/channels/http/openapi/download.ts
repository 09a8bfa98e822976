import * as z from "zod";
import type { ProblemCode } from "./problem-codes.ts";
import type { RouteDoc } from "./route-doc.ts";

/** What downloads have in common. */
export const download = (notFound: ProblemCode) =>
  ({
    query: {
      download: z.literal("1").optional(),
      tenant: z.string().optional(),
      expires: z.string().optional(),
      signature: z.string().optional(),
    },
    headers: {
      Range: "one range of bytes",
      "If-None-Match": "the ETag of what the client has",
      "If-Range": "an ETag",
    },
    answers: {
      200: { what: "the content; pictures inline, all else as a download", body: "*/*", headers: ["ETag"] },
      206: { what: "the range", body: "*/*", headers: ["ETag", "Content-Range"] },
      304: { what: "the client has it" },
    },
    problems: [notFound, "range_not_satisfiable", "invalid_link"],
  }) satisfies Partial<RouteDoc>;

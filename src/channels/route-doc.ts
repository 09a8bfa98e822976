import type * as z from "zod";

/** What a route answers with: JSON of a shape, something that isn't JSON (its media type), or nothing. */
export interface AnswerDoc {
  what: string;
  body?: z.ZodType | string;
  /** A second form of the same answer, by the Accept header. */
  orType?: string;
  headers?: string[];
}

/**
 * One route as clients know it. Its request schema is the one that the handler checks with, so that they can't differ;
 * that there is one for every route, and none besides, is tested.
 */
export interface RouteDoc<Problem extends string = never> {
  /** As the router has it: `GET /v1/sessions/:id`. */
  route: string;
  group:
    | "Sessions"
    | "Rounds"
    | "Files"
    | "Shared state"
    | "Lessons"
    | "Documents"
    | "Deployment"
    | "OpenAI's shapes";
  summary: string;
  query?: Record<string, z.ZodType>;
  headers?: Record<string, string>;
  /** JSON of a shape, or `bytes`. */
  body?: z.ZodType | "bytes";
  /** A body that fits. */
  example?: unknown;
  answers: Record<number, AnswerDoc>;
  /** Its own refusals, besides those that every route of its kind has. */
  problems?: Problem[];
  /** Refusals in a form of their own, in the place of problems. */
  refusals?: Record<number, AnswerDoc>;
  /** Nobody is asked for a key. */
  isOpen?: true;
}

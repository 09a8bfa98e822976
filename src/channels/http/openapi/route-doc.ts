import type { RouteDoc as AnyRouteDoc } from "../../route-doc.ts";
import type { ProblemCode } from "./problem-codes.ts";

export type { AnswerDoc } from "../../route-doc.ts";
/** A route that refuses by problems. */
export type RouteDoc = AnyRouteDoc<ProblemCode>;

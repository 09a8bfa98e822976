import { PLANNER } from "../../memory/post.ts";
import type { Deployment } from "../channel.ts";
import { HttpProblem } from "./problem.ts";

/** The names, when this deployment has such roles and they can work together. @throws HttpProblem 422 */
export function checkRoles(names: string[], { roles }: Deployment): string[] {
  const refuse = (detail: string) => new HttpProblem(422, "invalid_roles", detail);
  const unknown = names.find((name) => !roles.has(name));
  if (unknown !== undefined) {
    throw refuse(`There is no role "${unknown.slice(0, 100)}". Known are: ${[...roles.keys()].join(", ")}.`);
  }
  if (new Set(names).size < names.length) throw refuse("A role is named twice.");
  if (names.filter((name) => name.startsWith("code_interpreter")).length > 1) {
    throw refuse("A session takes one kind of code interpreter at most.");
  }
  const hasPlanner = names.some((name) => roles.get(name)!.alias === PLANNER);
  if (!hasPlanner && names.length > 1) throw refuse("Several workers need the planner among the roles.");
  return names;
}

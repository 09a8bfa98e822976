import { knowledgeName } from "../../roles/role.ts";
import type { Deployment } from "../channel.ts";
import { HttpProblem } from "./problem.ts";

/**
 * The name under which a role's knowledge is filed; null, every role's, when none is given. The CodeInterpreter's is
 * found by either of its names. @throws HttpProblem for a role that isn't there.
 */
export function experienceRole({ roles }: Deployment, given: string | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  const known = [...roles.values()];
  const role = known.find((each) => knowledgeName(each) === given) ?? roles.get(given);
  if (role) return knowledgeName(role);
  const names = known.map(knowledgeName).join(", ");
  throw new HttpProblem(422, "invalid_roles", `There is no role "${given.slice(0, 100)}". Roles: ${names}.`);
}

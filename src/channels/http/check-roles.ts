import { PLANNER } from "../../memory/post.ts";
import { SandboxUnreachableError, type Sandbox } from "../../sandbox/sandbox.ts";
import type { Deployment } from "../channel.ts";
import { HttpProblem } from "./problem.ts";

/** The names, when this deployment has such roles and they can work together. @throws HttpProblem 422 */
export async function checkRoles(
  names: string[],
  { roles, sandbox }: Pick<Deployment, "roles" | "sandbox">,
): Promise<string[]> {
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
  const shellRole = names.find((name) => roles.get(name)!.needsShell);
  if (shellRole !== undefined && !(await hasShell(sandbox))) {
    throw refuse(
      `The role ${shellRole} runs shell commands, and this deployment's sandbox has no shell.` +
        " One whose default engine is cpython has (SANDBOX_ENGINE=cpython).",
    );
  }
  return names;
}

async function hasShell(sandbox: Sandbox): Promise<boolean> {
  try {
    return (await sandbox.capabilities()).shell;
  } catch (error) {
    if (!(error instanceof SandboxUnreachableError)) throw error;
    throw new HttpProblem(503, error.code, error.message);
  }
}

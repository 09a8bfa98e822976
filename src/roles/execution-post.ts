import { attachmentsOf } from "../memory/post.ts";
import type { ExecutionResult } from "../sandbox/python-session.ts";
import { showProblem, type Problem } from "../verification/problem.ts";
import type { VerificationRules } from "../verification/rules.ts";
import { verifyPython } from "../verification/verify-python.ts";
import { resultText } from "./execution-report.ts";
import type { Turn } from "./role.ts";

/** Reads the code by the rules and puts into the Post how that came out; without rules nothing is read. */
export function verifyForPost(
  turn: Turn<unknown>,
  code: string,
  rules: VerificationRules | undefined,
  earlier: string[] = [],
): Problem[] {
  if (!rules) {
    turn.post.attach("verification", "NONE");
    turn.post.attach("code_error", "No verification of code is on.");
    return [];
  }
  turn.post.status("verifying code");
  const problems = verifyPython(code, rules, earlier);
  turn.post.attach("verification", problems.length > 0 ? "INCORRECT" : "CORRECT");
  turn.post.attach("code_error", problems.map(showProblem).join("\n") || "No problem was found.");
  if (problems.length > 0) {
    turn.post.attach("execution_status", "NONE");
    turn.post.attach("execution_result", "No code was run.");
  }
  return problems;
}

/** Runs the code and puts into the Post what came of it. */
export async function runForPost(turn: Turn<{ timeout: number }>, code: string): Promise<ExecutionResult> {
  turn.post.status("running code");
  const result = await turn.sandbox.run(code, { timeoutMs: turn.config.timeout * 1000 });
  const { generation, variables } = result;
  const status = result.status === "success" ? "SUCCESS" : "FAILURE";
  turn.post.attach("execution_status", status, { generation, variables });
  turn.post.attach("execution_result", resultText(result));
  turn.post.attach(
    "artifact_paths",
    result.artifacts.map(({ name }) => name),
  );
  return result;
}

/** What the interpreter has run of this role's code in this session: the names that it gave hold on. */
export function codeRunBefore(turn: Turn<unknown>): string[] {
  return turn.memory.rounds
    .flatMap(({ posts }) => posts)
    .filter((post) => attachmentsOf(post, "execution_status").some((status) => status !== "NONE"))
    .map((post) => attachmentsOf(post, "reply_content").join("\n"));
}

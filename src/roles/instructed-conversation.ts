import type { Example } from "../examples/example.ts";
import { capMiddle } from "../lib/cap-middle.ts";
import type { ChatMessage } from "../llm/llm.ts";
import { attachmentsOf, type Post } from "../memory/post.ts";
import type { Round } from "../memory/round.ts";
import type { VariableSummary } from "../sandbox/sandbox.ts";
import { renderConversations, renderIncoming } from "./conversation-prompt.ts";
import type { Turn } from "./role.ts";

const VARIABLES_LIMIT = 3000;

/**
 * The conversation of a worker that runs something: each instruction with the feedback on what ran before, and with the
 * last one, corrections included, what the worker should know besides.
 */
export function renderInstructed(
  turn: Turn<unknown>,
  options: {
    examples: Example[];
    /** The role's own Post as its model wrote it. */
    renderReply(post: Post): string;
    /** Stands before the first instruction of an example, or of the real conversation. */
    opening?(example: Example | undefined): string | undefined;
  },
): ChatMessage[] {
  return renderConversations(options.examples, turn.memory.rounds, renderRounds);

  function renderRounds(rounds: Pick<Round, "posts">[], example?: Example): ChatMessage[] {
    const posts = rounds.flatMap(({ posts: roundPosts }) => roundPosts);
    const messages: ChatMessage[] = [];
    let feedback: string | undefined;
    for (const [index, post] of posts.entries()) {
      const isOwn = post.sendFrom === turn.alias;
      if (isOwn) {
        const [invalid] = attachmentsOf(post, "invalid_response");
        messages.push({ role: "assistant", content: invalid ?? options.renderReply(post) });
        feedback = renderFeedback(post);
        if (post.sendTo !== turn.alias) continue;
      }
      const sections = [
        messages.length === 0 ? options.opening?.(example) : undefined,
        feedback,
        !example && index === posts.length - 1 ? contextSection(turn) : undefined,
        renderIncoming(
          isOwn ? { sendFrom: turn.alias, message: attachmentsOf(post, "revise_message").join("\n") } : post,
        ),
      ];
      messages.push({ role: "user", content: sections.filter(Boolean).join("\n\n") });
      feedback = undefined;
    }
    return messages;
  }
}

function renderFeedback(post: Post): string | undefined {
  const [verification] = attachmentsOf(post, "verification");
  const [status] = attachmentsOf(post, "execution_status");
  if (verification === undefined && status === undefined) return undefined;
  const lines = ["## Feedback", `Verification: ${verification ?? "NONE"}`];
  if (verification === "INCORRECT") lines.push(...attachmentsOf(post, "code_error"));
  lines.push(`Execution: ${status ?? "NONE"}`);
  if (status !== undefined && status !== "NONE") lines.push(...attachmentsOf(post, "execution_result"));
  return lines.join("\n");
}

/** What others left for everybody: it reaches the worker also when the Planner's instruction leaves it out. */
function contextSection(turn: Turn<unknown>): string {
  const lines = ["## Context", `The User's request: ${turn.query}`];
  const subPaths = ["experience_sub_path", "example_sub_path"];
  for (const { role, type, content } of turn.shared.get()) {
    if (!subPaths.includes(type)) lines.push(`Shared by ${role} (${type}):\n${content}`);
  }
  for (const [alias, bulletin] of Object.entries(turn.board.read())) {
    lines.push(`On the board from ${alias}:\n${bulletin}`);
  }
  const variables = lastVariables(turn).map(({ name, type, summary }) => `- ${name} (${type}): ${summary}`);
  if (variables.length > 0) {
    lines.push(`Variables in the interpreter:\n${capMiddle(variables.join("\n"), VARIABLES_LIMIT)}`);
  }
  return lines.join("\n");
}

/** What the interpreter held when the role last ran something. */
function lastVariables(turn: Turn<unknown>): VariableSummary[] {
  const executions = turn.memory.rounds
    .flatMap(({ posts }) => posts)
    .flatMap(({ attachments }) => attachments)
    .filter(({ type, content }) => type === "execution_status" && content !== "NONE");
  const extra = executions.at(-1)?.extra as { variables?: VariableSummary[] } | undefined;
  return extra?.variables ?? [];
}

/** What the role was last asked by somebody else, also while it corrects itself. */
export function instructionOf(turn: Turn<unknown>): string {
  const posts = turn.memory.rounds.at(-1)?.posts ?? [];
  return posts.findLast(({ sendFrom }) => sendFrom !== turn.alias)?.message ?? turn.lastPost.message;
}

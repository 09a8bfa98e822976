import type { Example } from "../../examples/example.ts";
import type { Lesson } from "../../experience/lessons.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage, ReplySchema } from "../../llm/llm.ts";
import { attachmentsOf, type Post } from "../../memory/post.ts";
import type { Round } from "../../memory/round.ts";
import type { PluginSpec } from "../../plugins/plugin.ts";
import { renderPluginSignature } from "../../plugins/render.ts";
import { renderConversations, renderIncoming } from "../conversation-prompt.ts";
import { lessonSection } from "../lesson-section.ts";
import type { Turn } from "../role.ts";
import type { CodeInterpreterConfig } from "./config.ts";

type CodeTurn = Turn<CodeInterpreterConfig>;

export function codeSchema(turn: CodeTurn): ReplySchema {
  return {
    name: "code_response",
    schema: JSON.parse(turn.prompt.response_json_schema ?? "{}") as Record<string, unknown>,
  };
}

/** What the role was handed for its prompt, beside the conversation. */
export interface CodeKnowledge {
  examples: Example[];
  lessons: Lesson[];
  plugins: PluginSpec[];
}

export function codeMessages(turn: CodeTurn, knowledge: CodeKnowledge, schema: ReplySchema): ChatMessage[] {
  const system = fillTemplate(turn.prompt.content ?? "", {
    ROLE_NAME: turn.config.role_name,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  return [
    { role: "system", content: [system, ...lessonSection(turn, knowledge.lessons)].join("\n\n") },
    ...renderConversations(knowledge.examples, turn.memory.rounds, (rounds, example) =>
      renderRounds(turn, rounds, {
        plugins: example ? example.plugins : knowledge.plugins,
        isReal: example === undefined,
      }),
    ),
  ];
}

function renderRounds(
  turn: CodeTurn,
  rounds: Pick<Round, "posts">[],
  { plugins, isReal }: { plugins: PluginSpec[]; isReal: boolean },
): ChatMessage[] {
  const posts = rounds.flatMap(({ posts: roundPosts }) => roundPosts);
  const messages: ChatMessage[] = [];
  let feedback: string | undefined;
  for (const [index, post] of posts.entries()) {
    const isOwn = post.sendFrom === turn.alias;
    if (isOwn) {
      messages.push({ role: "assistant", content: renderReply(turn, post) });
      feedback = renderFeedback(post);
      if (post.sendTo !== turn.alias) continue;
    }
    const sections = [
      messages.length === 0 ? pluginSection(turn, plugins) : undefined,
      feedback,
      isReal && index === posts.length - 1 ? contextSection(turn) : undefined,
      renderIncoming(
        isOwn ? { sendFrom: turn.alias, message: attachmentsOf(post, "revise_message").join("\n") } : post,
      ),
    ];
    messages.push({ role: "user", content: sections.filter(Boolean).join("\n\n") });
    feedback = undefined;
  }
  return messages;
}

/** The Post as the model wrote it; a reply that made no sense as the text that it was. */
function renderReply(turn: CodeTurn, post: Post): string {
  const [invalid] = attachmentsOf(post, "invalid_response");
  if (invalid !== undefined) return invalid;
  const field = (type: string) => attachmentsOf(post, type).join("\n");
  return JSON.stringify({
    response: {
      thought: nameRole(turn, field("thought")),
      reply_type: field("reply_type") || "text",
      reply_content: field("reply_content") || nameRole(turn, post.message),
    },
  });
}

/** Examples don't know what the role is called here. Other braces are the text's own. */
const nameRole = (turn: CodeTurn, text: string) => text.replaceAll("{ROLE_NAME}", turn.config.role_name);

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

function pluginSection(turn: CodeTurn, plugins: PluginSpec[]): string | undefined {
  if (plugins.length === 0) return undefined;
  const signatures = plugins.map(renderPluginSignature).join("\n\n");
  return fillTemplate(turn.prompt.plugins_head ?? "{PLUGINS}", { PLUGINS: signatures });
}

/** What others left for everybody: it reaches the code also when the Planner's instruction leaves it out. */
function contextSection(turn: CodeTurn): string {
  const lines = ["## Context", `The User's request: ${turn.query}`];
  const subPaths = ["experience_sub_path", "example_sub_path"];
  for (const { role, type, content } of turn.shared.get()) {
    if (!subPaths.includes(type)) lines.push(`Shared by ${role} (${type}):\n${content}`);
  }
  for (const [alias, bulletin] of Object.entries(turn.board.read())) {
    lines.push(`On the board from ${alias}:\n${bulletin}`);
  }
  return lines.join("\n");
}

import type { ReplySchema } from "../../llm/llm.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage } from "../../llm/llm.ts";
import { attachmentText } from "../../memory/attachment.ts";
import { attachmentsOf, PLANNER, USER, type Post } from "../../memory/post.ts";
import type { Round } from "../../memory/round.ts";
import { renderConversations, renderIncoming } from "../conversation-prompt.ts";
import { lessonSection } from "../lesson-section.ts";
import { safetySection } from "../safety-section.ts";
import { summarySection } from "../summary-section.ts";
import type { Turn } from "../role.ts";
import type { Example } from "../../examples/example.ts";
import type { Lesson } from "../../experience/lessons.ts";

/** The fields of the Planner's reply that become attachments, in the order in which they are asked for. */
export const planFields = ["plan_reasoning", "init_plan", "plan", "current_plan_step", "stop"] as const;

export function plannerSchema(turn: Turn): ReplySchema {
  const schema = JSON.parse(turn.prompt.response_json_schema ?? "{}") as {
    properties: { response: { properties: { send_to: Record<string, unknown> } } };
  };
  schema.properties.response.properties.send_to.enum = [...turn.workers.map(({ alias }) => alias), USER];
  return { name: "planner_response", schema };
}

export function plannerMessages(
  turn: Turn,
  { examples, lessons, schema }: { examples: Example[]; lessons: Lesson[]; schema: ReplySchema },
): ChatMessage[] {
  const workers = turn.workers.map(({ alias, intro }) => `### ${alias}\n${intro}`).join("\n\n");
  const system = fillTemplate(turn.prompt.instruction_template ?? "", {
    ROLE_NAME: turn.alias,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    WORKERS: workers || "You have none in this session: answer the User yourself.",
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  return [
    {
      role: "system",
      content: [
        system,
        ...safetySection(turn),
        ...lessonSection(turn, lessons),
        ...summarySection(turn),
      ].join("\n\n"),
    },
    ...renderConversations(examples, turn.memory.rounds, (rounds) => renderRounds(turn, rounds)),
  ];
}

function renderRounds(turn: Turn, rounds: Pick<Round, "posts">[]): ChatMessage[] {
  return rounds.flatMap(({ posts }) => posts.flatMap((post) => renderPost(turn, post)));
}

function renderPost(turn: Turn, post: Post): ChatMessage[] {
  if (post.sendFrom !== PLANNER) return [{ role: "user", content: renderIncoming(post) }];
  const [invalid] = attachmentsOf(post, "invalid_response");
  if (invalid !== undefined) {
    const [revise = ""] = attachmentsOf(post, "revise_message");
    return [
      { role: "assistant", content: invalid },
      { role: "user", content: renderIncoming({ sendFrom: turn.alias, message: revise }) },
    ];
  }
  return [{ role: "assistant", content: renderReply(post) }];
}

function renderReply(post: Post): string {
  const fields: [string, string][] = planFields.flatMap((type) => {
    const texts = post.attachments.filter((attachment) => attachment.type === type).map(attachmentText);
    return texts.length > 0 ? [[type, texts.join("\n")]] : [];
  });
  return JSON.stringify({
    response: { ...Object.fromEntries(fields), send_to: post.sendTo, message: post.message },
  });
}

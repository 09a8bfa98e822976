import type { Example } from "../../examples/example.ts";
import type { Lesson } from "../../experience/lessons.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage, ReplySchema } from "../../llm/llm.ts";
import { attachmentsOf } from "../../memory/post.ts";
import { renderPluginSignature } from "../../plugins/render.ts";
import { renderInstructed } from "../instructed-conversation.ts";
import { lessonSection } from "../lesson-section.ts";
import { safetySection } from "../safety-section.ts";
import { summarySection } from "../summary-section.ts";
import type { Turn } from "../role.ts";

export function callSchema(turn: Turn<unknown>): ReplySchema {
  return {
    name: "function_response",
    schema: JSON.parse(turn.prompt.response_json_schema ?? "{}") as Record<string, unknown>,
  };
}

export function callMessages(
  turn: Turn<unknown>,
  examples: Example[],
  lessons: Lesson[],
  schema: ReplySchema,
): ChatMessage[] {
  const plugins = turn.plugins.filter(({ plugin_only }) => plugin_only);
  const system = fillTemplate(turn.prompt.content ?? "", {
    ROLE_NAME: turn.alias,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    PLUGINS: plugins.map(renderPluginSignature).join("\n\n") || "# There are none.",
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  const renderReply = (post: Parameters<typeof attachmentsOf>[0]) => {
    const calls = JSON.parse(attachmentsOf(post, "function")[0] ?? "[]") as {
      name: string;
      arguments: unknown;
    }[];
    return JSON.stringify({
      response: {
        thought: attachmentsOf(post, "thought").join("\n"),
        function: calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
        message: calls.length > 0 ? "" : post.message,
      },
    });
  };
  const content = [
    system,
    ...safetySection(turn),
    ...lessonSection(turn, lessons),
    ...summarySection(turn),
  ].join("\n\n");
  return [{ role: "system", content }, ...renderInstructed(turn, { examples, renderReply })];
}

import type { Example } from "../../examples/example.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage, ReplySchema } from "../../llm/llm.ts";
import { attachmentsOf, type Post } from "../../memory/post.ts";
import { renderPluginSignature } from "../../plugins/render.ts";
import { describeRules, rulesOf } from "../../verification/rules.ts";
import { renderInstructed } from "../instructed-conversation.ts";
import type { Turn } from "../role.ts";
import type { CodeInterpreterConfig } from "./config.ts";

type CodeTurn = Turn<CodeInterpreterConfig>;

export function codeSchema(turn: CodeTurn): ReplySchema {
  return {
    name: "code_response",
    schema: JSON.parse(turn.prompt.response_json_schema ?? "{}") as Record<string, unknown>,
  };
}

export function codeMessages(turn: CodeTurn, examples: Example[], schema: ReplySchema): ChatMessage[] {
  const system = fillTemplate(turn.prompt.content ?? "", {
    ROLE_NAME: turn.config.role_name,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  return [
    { role: "system", content: [system, rulesSection(turn)].filter(Boolean).join("\n\n") },
    ...renderInstructed(turn, {
      examples,
      renderReply: (post) => renderReply(turn, post),
      opening: pluginSection(turn),
    }),
  ];
}

/** What the code may not do, where that is checked. */
function rulesSection(turn: CodeTurn): string | undefined {
  const rules = rulesOf(turn.config);
  return rules && fillTemplate(turn.prompt.rules_head ?? "{RULES}", { RULES: describeRules(rules) });
}

function renderReply(turn: CodeTurn, post: Post): string {
  const field = (type: string) => attachmentsOf(post, type).join("\n");
  return JSON.stringify({
    response: {
      thought: fillTemplate(field("thought"), { ROLE_NAME: turn.config.role_name }),
      reply_type: field("reply_type") || "text",
      reply_content: field("reply_content") || post.message,
    },
  });
}

function pluginSection(turn: CodeTurn): string | undefined {
  // Some plugins are for calls without code only.
  const plugins = turn.plugins.filter((plugin) => !plugin.plugin_only);
  if (!turn.config.load_plugin || plugins.length === 0) return undefined;
  const signatures = plugins.map(renderPluginSignature).join("\n\n");
  return fillTemplate(turn.prompt.plugins_head ?? "{PLUGINS}", { PLUGINS: signatures });
}

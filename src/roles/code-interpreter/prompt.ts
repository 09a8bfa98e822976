import type { Example } from "../../examples/example.ts";
import type { Lesson } from "../../experience/lessons.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage, ReplySchema } from "../../llm/llm.ts";
import { attachmentsOf, type Post } from "../../memory/post.ts";
import type { PluginSpec } from "../../plugins/plugin.ts";
import { renderPluginSignature } from "../../plugins/render.ts";
import { describeRules, rulesOf } from "../../verification/rules.ts";
import { renderInstructed } from "../instructed-conversation.ts";
import { lessonSection } from "../lesson-section.ts";
import { safetySection } from "../safety-section.ts";
import { summarySection } from "../summary-section.ts";
import type { SandboxCapabilities } from "../../sandbox/sandbox.ts";
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
  capabilities: SandboxCapabilities | undefined;
}

export function codeMessages(turn: CodeTurn, knowledge: CodeKnowledge, schema: ReplySchema): ChatMessage[] {
  const system = fillTemplate(turn.prompt.content ?? "", {
    ROLE_NAME: turn.config.role_name,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  return [
    {
      role: "system",
      content: [
        system,
        packageSection(turn, knowledge),
        rulesSection(turn),
        ...safetySection(turn),
        ...lessonSection(turn, knowledge.lessons),
        ...summarySection(turn),
      ]
        .filter(Boolean)
        .join("\n\n"),
    },
    ...renderInstructed(turn, {
      examples: knowledge.examples,
      renderReply: (post) => renderReply(turn, post),
      opening: (example) => pluginSection(turn, example ? example.plugins : knowledge.plugins),
    }),
  ];
}

/** What can be imported, as far as the sandbox says. */
function packageSection(turn: CodeTurn, { capabilities }: CodeKnowledge): string | undefined {
  const { python, packages } = capabilities ?? {};
  if (!packages) return undefined;
  const there = Object.entries(packages).filter(([, version]) => version !== null);
  const missing = Object.keys(packages).filter((name) => packages[name] === null);
  return fillTemplate(turn.prompt.packages_head ?? "{PYTHON} {PACKAGES} {MISSING}", {
    PYTHON: python ?? "3",
    PACKAGES: there.map(([name, version]) => `${name} ${version}`).join(", ") || "nothing else",
    MISSING: missing.join(", ") || "nothing",
  });
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
      thought: nameRole(turn, field("thought")),
      reply_type: field("reply_type") || "text",
      reply_content: field("reply_content") || nameRole(turn, post.message),
    },
  });
}

/** Examples don't know what the role is called here. Other braces are the text's own. */
const nameRole = (turn: CodeTurn, text: string) => text.replaceAll("{ROLE_NAME}", turn.config.role_name);

function pluginSection(turn: CodeTurn, shown: PluginSpec[]): string | undefined {
  // Some plugins are for calls without code only.
  const plugins = shown.filter((plugin) => !plugin.plugin_only);
  if (plugins.length === 0) return undefined;
  const signatures = plugins.map(renderPluginSignature).join("\n\n");
  return fillTemplate(turn.prompt.plugins_head ?? "{PLUGINS}", { PLUGINS: signatures });
}

import type { ChatMessage } from "../../llm/llm.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import { replySchema } from "../reply-schema.ts";
import type { Turn } from "../role.ts";
import type { TaskTypeConfig } from "./config.ts";

export const UNKNOWN = "unknown";

export const identifySchema = (types: string[]) =>
  replySchema("task_type_response", { task_type: { type: "string", enum: [...types, UNKNOWN] } });

export function identifyMessages(turn: Turn<TaskTypeConfig>): ChatMessage[] {
  const types = Object.entries(turn.config.task_types).map(([type, what]) => `- ${type}: ${what}`);
  const system = fillTemplate(turn.prompt.content ?? "", { TASK_TYPES: types.join("\n"), UNKNOWN });
  const user = `The User's request: ${turn.query}\n\nFrom: ${turn.lastPost.sendFrom}\nMessage: ${turn.lastPost.message}`;
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

import type { ChatMessage, ReplySchema } from "../../llm/llm.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { Turn } from "../role.ts";
import type { TaskTypeConfig } from "./config.ts";

export const UNKNOWN = "unknown";

export function identifySchema(types: string[]): ReplySchema {
  const taskType = { type: "string", enum: [...types, UNKNOWN] };
  const response = {
    type: "object",
    properties: { task_type: taskType },
    required: ["task_type"],
    additionalProperties: false,
  };
  return {
    name: "task_type_response",
    schema: { type: "object", properties: { response }, required: ["response"], additionalProperties: false },
  };
}

export function identifyMessages(turn: Turn<TaskTypeConfig>): ChatMessage[] {
  const types = Object.entries(turn.config.task_types).map(([type, what]) => `- ${type}: ${what}`);
  const system = fillTemplate(turn.prompt.content ?? "", { TASK_TYPES: types.join("\n"), UNKNOWN });
  const user = `The User's request: ${turn.query}\n\nFrom: ${turn.lastPost.sendFrom}\nMessage: ${turn.lastPost.message}`;
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

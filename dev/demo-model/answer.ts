import { readConversation } from "./conversation.ts";
import { writeCode } from "./roles/coder.ts";
import { planNext } from "./roles/planner.ts";
import { CANNOT_DO_THAT } from "./roles/small-talk.ts";
import type { ChatRequest } from "./wire.ts";

/** The model's whole answer to a request, as text. */
export function answer(chat: ChatRequest): string {
  const turns = readConversation(chat.messages);
  switch (whoAsks(chat)) {
    case "planner":
      return JSON.stringify({ response: planNext(turns, { workers: knownWorkers(chat) }) });
    case "coder":
      return JSON.stringify({ response: writeCode(turns) });
    case "other":
      return CANNOT_DO_THAT;
  }
}

/** By the schema's name; without one, by what the system prompt asks the reply to hold. */
function whoAsks(chat: ChatRequest): "planner" | "coder" | "other" {
  const schema = chat.response_format?.json_schema?.name;
  if (schema === "planner_response") return "planner";
  if (schema === "code_response") return "coder";
  if (schema) return "other";
  const system = chat.messages
    .filter((message) => message.role === "system" || message.role === "developer")
    .map((message) => message.content)
    .join("\n");
  if (system.includes('"send_to"')) return "planner";
  if (system.includes('"reply_type"')) return "coder";
  return "other";
}

/** The recipients that the planner's schema allows; undefined when it doesn't say. */
function knownWorkers(chat: ChatRequest): string[] | undefined {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "send_to" && typeof value === "object" && value !== null && "enum" in value) {
        if (Array.isArray(value.enum)) found.push(...value.enum.map(String));
      } else visit(value);
    }
  };
  visit(chat.response_format?.json_schema?.schema);
  return found.length > 0 ? found : undefined;
}

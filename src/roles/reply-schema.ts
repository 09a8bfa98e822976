import type { ReplySchema } from "../llm/llm.ts";

/** Asks for `{"response": {…}}` with these fields, all of them and no others. */
export function replySchema(name: string, properties: Record<string, object>): ReplySchema {
  const response = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return {
    name,
    schema: { type: "object", properties: { response }, required: ["response"], additionalProperties: false },
  };
}

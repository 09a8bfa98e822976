import type { Llm } from "../llm/llm.ts";
import type { Usage } from "../memory/round.ts";

/** The same model, with calls, tokens and time put on the round's receipt. */
export function countedLlm(llm: Llm, usage: Usage): Llm {
  return {
    chat(messages, options) {
      const started = Date.now();
      usage.modelCalls += 1;
      const reply = llm.chat(messages, options);
      void reply
        .result()
        .then(({ promptTokens, completionTokens }) => {
          usage.promptTokens += promptTokens;
          usage.completionTokens += completionTokens;
        })
        .catch(() => {})
        .finally(() => (usage.modelMs += Date.now() - started));
      return reply;
    },
  };
}

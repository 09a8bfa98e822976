import type { Llm } from "../llm/llm.ts";
import type { Usage } from "../memory/round.ts";

/** The part of a receipt that models fill. */
type ModelUsage = Pick<Usage, "modelCalls" | "promptTokens" | "completionTokens" | "modelMs">;

/** The same model, with calls, tokens and time put on each of the receipts. */
export function countedLlm(llm: Llm, ...receipts: ModelUsage[]): Llm {
  const count = (spent: Partial<ModelUsage>) => {
    for (const receipt of receipts) {
      receipt.modelCalls += spent.modelCalls ?? 0;
      receipt.promptTokens += spent.promptTokens ?? 0;
      receipt.completionTokens += spent.completionTokens ?? 0;
      receipt.modelMs += spent.modelMs ?? 0;
    }
  };
  return {
    chat(messages, options) {
      const started = Date.now();
      count({ modelCalls: 1 });
      const reply = llm.chat(messages, options);
      const took = () => ({ modelMs: Date.now() - started });
      // Counted before whoever asked goes on.
      void reply.result().then(
        ({ promptTokens, completionTokens }) => count({ promptTokens, completionTokens, ...took() }),
        () => count(took()),
      );
      return reply;
    },
  };
}

import { estimateTokens } from "../lib/estimate-tokens.ts";
import { castOf, type Example } from "./example.ts";

/**
 * The examples that a role is shown, in their order: those in which nobody takes part who isn't there. When they don't
 * all fit the budget, the shorter ones stay, since more of them fit; of equals the earlier.
 */
export function fitExamples(examples: Example[], present: string[], maxTokens: number): Example[] {
  const everybody = new Set(present);
  const fitting = examples.filter((example) => castOf(example).isSubsetOf(everybody));
  const bySize = fitting
    .map((example) => ({ example, tokens: tokensOf(example) }))
    .toSorted((left, right) => left.tokens - right.tokens);
  const chosen = new Set<Example>();
  let left = maxTokens;
  for (const { example, tokens } of bySize) {
    if (tokens > left) break;
    chosen.add(example);
    left -= tokens;
  }
  return fitting.filter((example) => chosen.has(example));
}

function tokensOf(example: Example): number {
  const texts = example.rounds.flatMap(({ posts }) =>
    posts.flatMap(({ message, attachments }) => [
      message,
      ...attachments.map(({ content }) => String(content)),
    ]),
  );
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

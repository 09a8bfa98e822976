/**
 * About how many tokens a text has: four characters of Latin script make one, a character of a script with many
 * characters is one by itself. Good enough for budgets, whatever the model's tokenizer.
 */
export function estimateTokens(text: string): number {
  const wide =
    text.match(/[\u{2E80}-\u{9FFF}\u{AC00}-\u{D7AF}\u{F900}-\u{FAFF}\u{20000}-\u{3FFFF}]/gu)?.length ?? 0;
  return Math.ceil(wide + (text.length - wide) / 4);
}

import { capMiddle } from "../lib/cap-middle.ts";
import { RoundFailure } from "../lib/round-failure.ts";
import type { Llm } from "../llm/llm.ts";
import type { RawConversation } from "./experience.ts";

/** More than models take without being asked to. */
const MOST_CHARACTERS = 120_000;

/** Draws a lesson from a conversation. @throws RoundFailure when the model can't. */
export async function summarise(raw: RawConversation, llm: Llm, prompt: string): Promise<string> {
  const record = capMiddle(JSON.stringify(raw.rounds.map(withoutIds), null, 1), MOST_CHARACTERS);
  const { text, finishReason } = await llm
    .chat([
      { role: "system", content: prompt },
      { role: "user", content: record },
    ])
    .result();
  if (finishReason === "length")
    throw new RoundFailure("model_rejected", "The model's lesson was cut off at its token limit.");
  if (text.trim() === "") throw new RoundFailure("model_rejected", "The model gave an empty lesson.");
  return text.trim();
}

/** Ids tell nothing about what happened. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "id");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutIds(inner)]));
}

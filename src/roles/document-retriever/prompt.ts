import type { Snippet } from "../../documents/document.ts";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ChatMessage } from "../../llm/llm.ts";
import { replySchema } from "../reply-schema.ts";
import type { Turn } from "../role.ts";

export const answerSchema = replySchema("document_answer", {
  answer: { type: "string", description: "The answer with its marks" },
});

/** What a snippet is cited as: its document, and where in it. */
export const nameOf = ({ document, headings }: Pick<Snippet, "document" | "headings">): string =>
  [document, ...headings].join(" › ");

export function answerMessages(turn: Turn<unknown>, snippets: Snippet[]): ChatMessage[] {
  const extracts = snippets.map((snippet, index) => `### [${index + 1}] ${nameOf(snippet)}\n${snippet.text}`);
  const question = `The User's request: ${turn.query}\n\nThe question: ${turn.lastPost.message}`;
  return [
    { role: "system", content: fillTemplate(turn.prompt.content ?? "", {}) },
    { role: "user", content: `${question}\n\n## Extracts\n${extracts.join("\n\n")}` },
  ];
}

/** The numbers of the extracts that an answer names; what is no extract's is left out. */
export function citedIn(answer: string, count: number): number[] {
  const named = [...answer.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, numbers]) =>
    numbers!.split(",").map(Number),
  );
  return [...new Set(named)].filter((number) => number >= 1 && number <= count).toSorted((a, b) => a - b);
}

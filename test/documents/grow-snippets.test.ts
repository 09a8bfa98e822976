import { expect, it } from "vitest";
import { growSnippets } from "../../src/documents/grow-snippets.ts";
import { splitText } from "../../src/documents/split-text.ts";

const sentence = (n: number) => `Sentence number ${n} says that ${n} is what it is about, and nothing else.`;
const text = Array.from({ length: 20 }, (_none, n) => sentence(n)).join("\n\n");
const passages = splitText(text, { size: 40, overlap: 10 }).map(({ start, end }, n) => ({
  name: "a.md",
  n,
  start,
  end,
  text: text.slice(start, end),
}));
const hit = (n: number, score: number) => ({ name: "a.md", n, headings: ["H"], score });
const grow = (hits: ReturnType<typeof hit>[], targetTokens: number, limit = 5) =>
  growSnippets(hits, passages, { limit, targetTokens });

it("a hit grows on both sides up to its length, and reads as the document does", () => {
  const [snippet, ...others] = grow([hit(8, 0.51239)], 120);
  expect(others).toEqual([]);
  expect(snippet).toMatchObject({ document: "a.md", headings: ["H"], score: 0.512 });
  expect(text).toContain(snippet!.text);
  expect(snippet!.text).toContain(passages[8]!.text);
  expect(snippet!.text.length / 4).toBeGreaterThan(80);
  expect(snippet!.text.length / 4).toBeLessThanOrEqual(120);
  expect(grow([hit(8, 0.5)], 20)[0]!.text).toBe(passages[8]!.text);
});

it("what is told in a better hit's snippet isn't told again, and there are no more than are wanted", () => {
  const snippets = grow([hit(8, 0.5), hit(9, 0.4), hit(0, 0.3), hit(15, 0.2)], 120, 2);
  expect(snippets.map(({ score }) => score)).toEqual([0.5, 0.3]);
  expect(snippets[0]!.text).toContain(passages[9]!.text);
  expect(snippets[1]!.text).toContain(sentence(0));
});

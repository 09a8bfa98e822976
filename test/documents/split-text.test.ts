import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "../../src/documents/split-text.ts";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const texts = (text: string, size: number, overlap = 0) =>
  splitText(text, { size, overlap }).map(({ start, end }) => text.slice(start, end));

describe("a document is cut", () => {
  it("at its headings, each passage knowing what it stands under", () => {
    const text = `# Guide\n\n${words(30)}\n\n## Install\n\n${words(30)}\n\n### Linux\n${words(30)}\n\n## Use\n${words(30)}\n`;
    const passages = splitText(text, { size: 60, overlap: 0 });
    expect(passages.map(({ headings }) => headings)).toEqual([
      ["Guide"],
      ["Guide", "Install"],
      ["Guide", "Install", "Linux"],
      ["Guide", "Use"],
    ]);
    expect(text.slice(passages[2]!.start, passages[2]!.end)).toBe(`### Linux\n${words(30)}`);
  });

  it("so that short sections stay together, and marks within code are no headings", () => {
    const text = "# A\nOne.\n\n# B\nTwo.\n\n```sh\n# not a heading\n\necho\n```\n";
    expect(splitText(text, { size: 100, overlap: 0 })).toEqual([
      { start: 0, end: text.trimEnd().length, headings: ["A"] },
    ]);
  });

  it("between paragraphs, and within one only where it is too long by itself, at its sentences", () => {
    const [short, long] = [`${words(20)}.`, Array.from({ length: 12 }, () => `${words(9)}.`).join(" ")];
    const parts = texts(`${short}\n\n${long}\n\n${short}`, 40);
    expect(parts[0]).toBe(short);
    for (const part of parts) expect(part).toMatch(/\.$/);
  });

  it("with the end of what went before at the beginning, from a whole word on, but not over a heading", () => {
    const text = `${words(30, "first")}\n\n${words(30, "after")}\n\n# New\n\n${words(30, "third")}`;
    const [, second, third] = texts(text, 50, 8);
    expect(second).toMatch(/^first( first)+\s+after/);
    expect(third).toMatch(/^# New/);
  });

  it("with no heading parted from what follows it", () => {
    const text = `a short one\n\n# New\n\n## Part\n\n${words(38)}`;
    expect(texts(text, 50)).toEqual(["a short one", `# New\n\n## Part\n\n${words(38)}`]);
  });

  it("completely, in order, and in parts of about the size, whatever it holds", () => {
    const piece = fc.oneof(
      fc.constantFrom("# H\n", "\n\n", "```\n", " ", "。", "語の文章", "a. ", "💡"),
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[a-z]{1,200}$/),
    );
    const property = fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.integer({ min: 20, max: 80 }),
      fc.integer({ min: 0, max: 30 }),
      (pieces, size, overlap) => {
        const text = pieces.join("");
        const passages = splitText(text, { size, overlap });
        let covered = 0;
        for (const { start, end } of passages) {
          expect(text.slice(covered, start).trim()).toBe("");
          expect(end).toBeGreaterThan(covered);
          expect(estimateTokens(text.slice(start, end))).toBeLessThanOrEqual(size * 1.25 + 10);
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe("");
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

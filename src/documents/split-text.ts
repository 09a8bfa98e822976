import { estimateTokens } from "../lib/estimate-tokens.ts";

/** A part of a text, small enough to be found for what it says. */
export interface Passage {
  start: number;
  end: number;
  headings: string[];
}

interface Span {
  start: number;
  end: number;
  /** Set on headings: 1 is the outermost. */
  level?: number;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * Cuts a text at its headings and paragraphs into passages of about `size` tokens; only what is longer by itself is cut at
 * sentences, and where there are none, anywhere. A passage that goes on with a section begins with the last `overlap`
 * tokens of the one before, a quarter of it at most.
 */
export function splitText(text: string, { size, overlap }: { size: number; overlap: number }): Passage[] {
  const shared = Math.min(overlap, Math.floor(size / 4));
  const passages: (Passage & { tokens: number })[] = [];
  let current: (typeof passages)[number] | undefined;
  for (const { start, end, headings, beginsSection } of unitsOf(text, size)) {
    const tokens = estimateTokens(text.slice(start, end));
    // Short sections stay together; one beside a long one would be lost in it.
    const most = beginsSection ? size / 2 : size;
    const isFull = current && current.tokens + tokens > most;
    if (current && !isFull) {
      current.end = end;
      current.tokens += tokens;
      continue;
    }
    const from = current && !beginsSection ? overlapStart(text, current, { start, overlap: shared }) : start;
    current = { start: from, end, headings, tokens: estimateTokens(text.slice(from, end)) };
    passages.push(current);
  }
  return passages.map(({ tokens: _tokens, ...passage }) => passage);
}

/** What stays together: a paragraph, or a piece of one, with the headings right before it. */
function* unitsOf(text: string, size: number): Generator<Passage & { beginsSection: boolean }> {
  let open: { level: number; title: string }[] = [];
  let lead: number | undefined;
  let last: Span | undefined;
  const headings = () => open.map(({ title }) => title);
  for (const span of spansOf(text, size)) {
    last = span;
    const { start, end, level } = span;
    if (level === undefined) {
      yield { start: lead ?? start, end, headings: headings(), beginsSection: lead !== undefined };
      lead = undefined;
    } else {
      open = [...open.filter((heading) => heading.level < level), { level, title: titleOf(text, span) }];
      lead ??= start;
    }
  }
  if (lead !== undefined) yield { start: lead, end: last!.end, headings: headings(), beginsSection: true };
}

/** Headings, and paragraphs or pieces of those, in their order. */
function spansOf(text: string, size: number): Span[] {
  const spans: Span[] = [];
  let paragraph: Span | undefined;
  let isCode = false;
  const close = () => {
    if (paragraph) spans.push(...cutSpan(text, paragraph, size));
    paragraph = undefined;
  };
  for (const { index: start, 0: line } of text.matchAll(/[^\n]+\n?|\n/g)) {
    const end = start + line.trimEnd().length;
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const marks = isCode ? undefined : /^(#{1,6})\s+\S/.exec(line)?.[1];
    if (marks !== undefined) {
      close();
      spans.push({ start, end, level: marks.length });
    } else if (line.trim() === "" && !isCode) close();
    else if (line.trim() !== "") paragraph = { start: paragraph?.start ?? start, end };
  }
  close();
  return spans;
}

/** A paragraph as it is, or the pieces of one that is longer than a passage may be. */
function cutSpan(text: string, span: Span, size: number): Span[] {
  // What is surely too long isn't read to its end for each piece.
  const fits = (start: number) =>
    span.end - start <= size * CHARACTERS_PER_TOKEN && estimateTokens(text.slice(start, span.end)) <= size;
  if (fits(span.start)) return [span];
  const pieces: Span[] = [];
  let { start } = span;
  while (start < span.end) {
    const end = fits(start) ? span.end : cutAt(text, start, size);
    pieces.push({ start, end: Math.min(end, span.end) });
    start = end;
    while (start < span.end && /\s/.test(text[start]!)) start += 1;
  }
  return pieces;
}

/** Behind the last sentence, line or word that still fits. */
function cutAt(text: string, start: number, size: number): number {
  let most = size * CHARACTERS_PER_TOKEN;
  while (most > 1 && estimateTokens(text.slice(start, start + most)) > size) most = Math.ceil(most / 2);
  const window = text.slice(start, start + most);
  for (const boundary of [/[\s\S]*(?:[.!?…。！？]["')\]]*(?=\s)|[。！？]|\n)/u, /[\s\S]*\s/u]) {
    const found = boundary.exec(window)?.[0].trimEnd().length ?? 0;
    if (found > most / 3) return start + found;
  }
  // Not between the halves of one character.
  return start + (/[\ud800-\udbff]$/.test(window) && most > 1 ? most - 1 : most);
}

function overlapStart(
  text: string,
  before: Pick<Passage, "start" | "end">,
  { start, overlap }: { start: number; overlap: number },
): number {
  const earliest = Math.max(before.start + 1, before.end - overlap * CHARACTERS_PER_TOKEN);
  if (overlap === 0 || earliest >= before.end) return start;
  const wordStart = /\s\S/.exec(text.slice(earliest - 1, before.end));
  return wordStart ? earliest + wordStart.index : start;
}

const titleOf = (text: string, { start, end }: Span): string =>
  text
    .slice(start, end)
    .replace(/^#+\s+/, "")
    .replace(/\s+#+\s*$/, "")
    .trim()
    .slice(0, 200);

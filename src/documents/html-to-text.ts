const UNREAD =
  /<(script|style|template|noscript|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<!doctype[^>]*>/gi;
const BLOCKS =
  /<\/?(address|article|aside|blockquote|body|div|dl|dd|dt|fieldset|figure|figcaption|footer|form|header|hr|html|main|nav|ol|p|pre|section|table|ul)\b[^>]*>/gi;

const entities: Record<string, string> = {
  amp: "&",
  apos: "'",
  gt: ">",
  hellip: "…",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  quot: '"',
};

/** The words of a page for reading and finding, with headings as Markdown has them. It is never shown as HTML again. */
export function htmlToText(html: string): string {
  const marked = html
    .replaceAll(UNREAD, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<h([1-6])\b[^>]*>/gi, (_tag, level: string) => `\n\n${"#".repeat(Number(level))} `)
    .replaceAll(/<\/h[1-6]\s*>/gi, "\n\n")
    .replaceAll(/<(br|tr)\b[^>]*>/gi, "\n")
    .replaceAll(/<li\b[^>]*>/gi, "\n- ")
    .replaceAll(/<\/t[dh]\s*>/gi, " | ")
    .replaceAll(BLOCKS, "\n\n")
    .replaceAll(/<[/a-z][^>]*>/gi, "");
  return decodeEntities(marked)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = name[1]?.toLowerCase() === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole;
  });
}

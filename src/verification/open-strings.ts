import type { Tree } from "@lezer/common";

/** Strings that nothing closes, from the first on. The grammar ends a string with its line, closed or not. */
export function openStrings(tree: Tree, text: string): { at: number; isLong: boolean }[] {
  const open: { at: number; isLong: boolean }[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      if (name !== "String" && name !== "FormatString") return;
      const literal = text.slice(from, to);
      const [, quote = ""] = /^[A-Za-z]*("""|'''|"|')/.exec(literal) ?? [];
      const body = literal.slice(literal.indexOf(quote) + quote.length);
      if (!body.endsWith(quote) || endsEscaped(body, quote))
        open.push({ at: from, isLong: quote.length === 3 });
    },
  });
  return open;
}

function endsEscaped(body: string, quote: string): boolean {
  const [backslashes = ""] = /\\*$/.exec(body.slice(0, -quote.length)) ?? [];
  return backslashes.length % 2 === 1;
}

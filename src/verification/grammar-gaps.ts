import type { SyntaxNode, Tree } from "@lezer/common";

export interface Change {
  at: number;
  /** Replaces as many characters as it has: places in the text stay what they are. */
  text: string;
}

/**
 * Valid Python that the grammar doesn't know (or misreads), written as something that it does know. The names in it
 * stay where they are, so the rules hold there as well.
 */
export function fillGaps(tree: Tree, code: string): Change[] {
  const tokens = leavesOf(tree);
  return [...formFeeds(code), ...tokens.flatMap((token, index) => fillGap({ tokens, index, token, code }))];
}

interface Place {
  tokens: SyntaxNode[];
  index: number;
  token: SyntaxNode;
  code: string;
}

function fillGap(place: Place): Change[] {
  const { token, code } = place;
  // `f"{total:=10}"` has a colon and a format, no `:=`.
  if (code.startsWith(":=", token.to) && enclosing(token) === "FormatReplacement") {
    return [{ at: token.to, text: ":<" }];
  }
  switch (token.name) {
    case "Number":
      // `24.` has digits after the point.
      return code[token.to] === "." && /^[\d_]+$/.test(code.slice(token.from, token.to))
        ? [{ at: token.to, text: "0" }]
        : [];
    case "yield":
      return isBareYield(code, token.to) ? [{ at: token.from, text: "False" }] : [];
    case "VariableName":
      return templateString(place);
    case "with":
      return header(place).flatMap(({ name, from }) => (name === "as" ? [{ at: from, text: ", " }] : []));
    case "except":
      // Since 3.14 several exceptions need no parentheses.
      return header(place).flatMap(({ name, from }) => (name === "," ? [{ at: from, text: "|" }] : []));
    case "match":
      return header(place).flatMap(({ name, from }, index, { length }) =>
        name === "," ? [{ at: from, text: index === length - 1 ? " " : "|" }] : [],
      );
    case "case":
      return emptyPatterns(place);
    case "lambda":
      return header(place).flatMap(({ from }) => (code[from] === "/" ? [{ at: from, text: "_" }] : []));
    case "At":
      // A decorator may be any expression: `@buttons[0].clicked`.
      return beginsLine(code, token.from) ? [{ at: token.from, text: "~" }] : [];
    default:
      return [...starredExpression(place), ...typeParameterDefault(place)];
  }
}

function formFeeds(code: string): Change[] {
  return [...code.matchAll(/\f/g)].map(({ index }) => ({ at: index, text: " " }));
}

function isBareYield(code: string, end: number): boolean {
  return /^[ \t]*(?:[\n;)\]},#=:]|$)/.test(code.slice(end));
}

/** `t"{name}"` reads like `f"{name}"`. */
function templateString({ token, code }: Place): Change[] {
  const prefix = code.slice(token.from, token.to);
  if (!/^(?:t|rt|tr)$/i.test(prefix) || !/^["']/.test(code.slice(token.to))) return [];
  return [{ at: token.from + prefix.search(/t/i), text: "f" }];
}

/** `case Point():`, `case []:` */
function emptyPatterns(place: Place): Change[] {
  const { code } = place;
  const between = header(place);
  return between.flatMap(({ from, to }, index) => {
    const next = between[index + 1];
    if (!next || !["()", "[]", "{}"].includes(code.slice(from, to) + code.slice(next.from, next.to)))
      return [];
    const isCall = /\w$/.test(code.slice(0, from)) && between[index - 1] !== undefined;
    const stand = isCall ? "  " : "_ ";
    return [
      { at: from, text: stand[0]! },
      { at: next.from, text: stand[1]! },
    ];
  });
}

function beginsLine(code: string, at: number): boolean {
  return code.slice(code.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
}

/** `rows[*index]`, `for x in *a, *b`, `*args: *Types`, `*first, last = rows` after a comment */
function starredExpression({ tokens, index, token, code }: Place): Change[] {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (code.slice(token.from, token.to) !== "*" || !before || !after) return [];
  if (",)".includes(code[after.from]!)) return [];
  if (beginsLine(code, token.from) && enclosing(token) === undefined) return [{ at: token.from, text: "+" }];
  return ["[", ",", "in", ":"].includes(code.slice(before.from, before.to))
    ? [{ at: token.from, text: " " }]
    : [];
}

/** `def first[T = int](…)` */
function typeParameterDefault({ tokens, index, token, code }: Place): Change[] {
  if (code.slice(token.from, token.to) !== "=" || !inTypeParameters({ tokens, index, token, code }))
    return [];
  const [before, name] = [tokens[index - 2], tokens[index - 1]];
  const isFirst = name?.name === "VariableName" && before !== undefined && "[,*".includes(code[before.from]!);
  return [{ at: token.from, text: isFirst ? ":" : "|" }];
}

/** Between the brackets of `class Box[…]`, `def first[…]`, `type Pair[…]`. */
function inTypeParameters({ tokens, index, code }: Place): boolean {
  let depth = 0;
  for (let before = index - 1; before >= 2; before--) {
    const text = code.slice(tokens[before]!.from, tokens[before]!.to);
    if ([")", "]", "}"].includes(text)) depth++;
    if (["(", "[", "{"].includes(text) && depth-- === 0) {
      return text === "[" && ["class", "def", "type"].includes(tokens[before - 2]!.name);
    }
  }
  return false;
}

/** The tokens from a keyword to the colon that ends its header. */
function header({ tokens, index, code }: Place): SyntaxNode[] {
  let depth = 0;
  for (let next = index + 1; next < tokens.length; next++) {
    const text = code.slice(tokens[next]!.from, tokens[next]!.to);
    if (depth === 0 && text === ":") return tokens.slice(index + 1, next);
    if ("([{".includes(text) && text !== "") depth++;
    if (")]}".includes(text) && text !== "") depth--;
  }
  return [];
}

/** What kind of brackets a token is in. */
function enclosing(token: SyntaxNode): string | undefined {
  for (let outer = token.parent; outer; outer = outer.parent) {
    const first = outer.firstChild;
    if (first && first.from < token.from && ["(", "[", "{"].includes(first.name)) return outer.name;
  }
  return undefined;
}

export function leavesOf(tree: Tree): SyntaxNode[] {
  const leaves: SyntaxNode[] = [];
  tree.iterate({
    enter: ({ node, name }) => {
      if (!node.firstChild && name !== "Comment" && node.to > node.from) leaves.push(node);
    },
  });
  return leaves;
}

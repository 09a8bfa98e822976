import type { SyntaxNode } from "@lezer/common";

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** Python reads names in their compatibility form: `ｅｖａｌ` is `eval`. */
export function nameOf(node: SyntaxNode, text: string): string {
  return text.slice(node.from, node.to).normalize("NFKC");
}

/** The content of a plain string literal; undefined for anything that only running it would tell. */
export function literalOf(node: SyntaxNode | undefined, text: string): string | undefined {
  if (node?.name !== "String" || node.getChild("Escape")) return undefined;
  return /^[uU]?("""|'''|"|')([^\\]*)\1$/s.exec(text.slice(node.from, node.to))?.[2];
}

/** The arguments of a call that are given by position. */
export function positionalArguments(call: SyntaxNode, text: string): SyntaxNode[] {
  const parts = childrenOf(call.getChild("ArgList") ?? call).filter(
    ({ name }) => name !== "(" && name !== ")",
  );
  const groups: SyntaxNode[][] = [[]];
  for (const part of parts) {
    if (text.slice(part.from, part.to) === ",") groups.push([]);
    else groups.at(-1)!.push(part);
  }
  return groups.flatMap((group) => (group.length === 1 ? group : []));
}

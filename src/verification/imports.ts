import type { SyntaxNode } from "@lezer/common";
import { childrenOf, nameOf } from "./nodes.ts";

export interface Import {
  /** What is imported, `module` or `module.name`; a star keeps its `*`. */
  path: string;
  /** The module that must be loaded for it. */
  module: string;
  /** The name that it gets here, and what that name then stands for; none for a star. */
  name?: string;
  stands?: string;
  at: SyntaxNode;
}

/** The imports of one statement; relative ones have a module that begins with a dot. */
export function readImports(statement: SyntaxNode, text: string): Import[] {
  const parts = childrenOf(statement);
  const isFrom = parts[0]?.name === "from";
  const split = isFrom ? parts.findIndex(({ name }) => name === "import") : 0;
  const source = parts
    .slice(isFrom ? 1 : 0, split)
    .map((part) => nameOf(part, text))
    .join("");

  const imports: Import[] = [];
  let names: SyntaxNode[] = [];
  let alias: string | undefined;
  let afterAs = false;
  const finish = () => {
    const first = names[0];
    if (first) {
      const dotted = names.map((node) => nameOf(node, text)).join(".");
      const path = isFrom ? `${source}.${dotted}` : dotted;
      const shown = alias ?? nameOf(first, text);
      // `import a.b` binds `a`, `import a.b as c` and `from a import b as c` bind what they name.
      const stands = !isFrom && alias === undefined ? nameOf(first, text) : path;
      imports.push({ path, module: isFrom ? source : dotted, name: shown, stands, at: first });
    }
    names = [];
    alias = undefined;
    afterAs = false;
  };
  for (const part of parts.slice(split + 1)) {
    const token = text.slice(part.from, part.to);
    if (token === ",") finish();
    else if (token === "*") imports.push({ path: `${source}.*`, module: source, at: part });
    else if (token === "as") afterAs = true;
    else if (part.name === "VariableName" && afterAs) alias = nameOf(part, text);
    else if (part.name === "VariableName") names.push(part);
  }
  finish();
  return imports;
}

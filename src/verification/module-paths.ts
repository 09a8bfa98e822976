import type { SyntaxNode } from "@lezer/common";
import { childrenOf, nameOf } from "./nodes.ts";
import { lookUp, type Binding, type Scope } from "./scopes.ts";

/** Names that earlier code of the same interpreter has given. */
export interface EarlierNames {
  /** What may be a module or a part of one, by its paths. */
  modules: Map<string, string[]>;
  /** What the code made itself. */
  own: Set<string>;
}

/** Modules whose name means them wherever it stands: `pandas.io.common.os` is `os`. */
export const WELL_KNOWN = ["os", "sys", "subprocess", "builtins", "importlib", "ctypes", "socket", "posix"];
/** Those whose name is hardly ever a column or an attribute of something else. */
const UNMISTAKABLE = ["os", "sys", "subprocess", "builtins", "importlib"];

/** Follows names and attributes to what they are called in the module that they come from. */
export function createPathFinder(text: string, earlier: EarlierNames) {
  /** The paths that an expression may have: none when it is no name, or one of the code's own. */
  function pathsOf(node: SyntaxNode, scope: Scope, seen: SyntaxNode[] = []): string[] {
    if (seen.includes(node) || seen.length > 20) return [];
    const further = [...seen, node];
    switch (node.name) {
      case "VariableName": {
        const name = nameOf(node, text);
        const found = lookUp(name, node.from, scope);
        const paths = (found?.bindings ?? []).flatMap((binding) => bound(binding, found!.scope, further));
        if (paths.length > 0 || found?.isOwn) return paths;
        const known = earlier.modules.get(name) ?? [];
        if (known.length > 0 || earlier.own.has(name)) return known;
        return WELL_KNOWN.includes(name) && !found ? [name] : [`builtins.${name}`];
      }
      case "MemberExpression": {
        const [object] = childrenOf(node);
        const property = node.getChild("PropertyName");
        if (!object || !property) return [];
        const name = nameOf(property, text);
        const roots = pathsOf(object, scope, further)
          .filter((root) => !root.startsWith("builtins."))
          .map((root) => normalise(`${root}.${name}`));
        return roots.length > 0 ? roots : unrooted(node);
      }
      case "ParenthesizedExpression":
      case "NamedExpression": {
        const inner = childrenOf(node).findLast(({ name }) => name !== ")");
        return inner ? pathsOf(inner, scope, further) : [];
      }
      case "Decorator":
        return decoratorPaths(node, scope);
      default:
        return [];
    }
  }

  function bound({ path, value }: Binding, scope: Scope, seen: SyntaxNode[]): string[] {
    if (path !== undefined) return [normalise(path)];
    if (!value || !["VariableName", "MemberExpression"].includes(value.name)) return [];
    // A built-in under another name was a problem where it got that name.
    return pathsOf(value, scope, seen).filter((found) => !found.startsWith("builtins."));
  }

  function decoratorPaths(node: SyntaxNode, scope: Scope): string[] {
    const [first, ...rest] = node.getChildren("VariableName");
    if (!first || rest.length === 0) return [];
    const tail = rest.map((name) => `.${nameOf(name, text)}`).join("");
    return pathsOf(first, scope)
      .filter((root) => !root.startsWith("builtins."))
      .map((root) => normalise(root + tail));
  }

  /** `anything.os.system`, though nobody knows what `anything` is. */
  function unrooted(node: SyntaxNode): string[] {
    const names: string[] = [];
    for (let at: SyntaxNode | null = node; at?.name === "MemberExpression"; at = at.firstChild) {
      const property = at.getChild("PropertyName");
      if (!property) break;
      names.unshift(nameOf(property, text));
    }
    const path = normalise(`?.${names.join(".")}`);
    const [module = ""] = path.split(".");
    return UNMISTAKABLE.includes(module) && path.includes(".") ? [path] : [];
  }

  return { pathsOf };
}

function normalise(path: string): string {
  const parts = path.split(".");
  const from = parts.findLastIndex(
    (part, index) => index > 0 && WELL_KNOWN.includes(part.replace(/^_+/, "")),
  );
  if (from < 0 || parts[0] === "builtins") return path;
  return [parts[from]!.replace(/^_+/, ""), ...parts.slice(from + 1)].join(".");
}

import type { SyntaxNode } from "@lezer/common";
import { readImports, type Import } from "./imports.ts";
import { childrenOf, nameOf } from "./nodes.ts";
import { bind, createScope, type Binding, type Scope } from "./scopes.ts";

/** A node that does something with what names stand for, in the scope where it does. */
export interface Use {
  node: SyntaxNode;
  scope: Scope;
}

export interface ScopedCode {
  module: Scope;
  /** Names, attributes, calls and literals that are read, in the order of the text. */
  uses: Use[];
  imports: Import[];
  /** Names that are assigned, however it is done. */
  assigned: SyntaxNode[];
}

/** Sorts the names of a tree into those that it gives, by scope, and those that it uses. */
export function readScopes(top: SyntaxNode, text: string): ScopedCode {
  const code: ScopedCode = { module: createScope("module"), uses: [], imports: [], assigned: [] };
  const comprehensions = new Set<Scope>();

  function give(node: SyntaxNode, scope: Scope, binding: Partial<Binding> = {}): void {
    bind(scope, nameOf(node, text), { at: node.from, certain: isCertain(node), ...binding });
  }

  /** What stands on the left of an assignment: names are given, the rest is used. */
  function target(node: SyntaxNode, scope: Scope, value?: SyntaxNode): void {
    if (node.name === "VariableName") {
      code.assigned.push(node);
      return give(node, scope, value ? { value } : {});
    }
    const holdsNames = ["TupleExpression", "ArrayExpression", "ParenthesizedExpression", "UnaryExpression"];
    if (holdsNames.includes(node.name)) for (const child of childrenOf(node)) target(child, scope);
    else visit(node, scope);
  }

  function all(nodes: SyntaxNode[], scope: Scope): void {
    for (const node of nodes) visit(node, scope);
  }

  function parameters(node: SyntaxNode | null, outer: Scope, inner: Scope): void {
    const parts = node ? childrenOf(node) : [];
    for (const [index, part] of parts.entries()) {
      const isDefault = parts[index - 1]?.name === "AssignOp";
      if (part.name === "VariableName" && !isDefault) give(part, inner);
      else visit(part, outer);
    }
  }

  function assignment(node: SyntaxNode, scope: Scope): void {
    const parts = childrenOf(node);
    const lastSign = parts.findLastIndex(({ name }) => name === "AssignOp");
    const values = parts.slice(lastSign + 1);
    const targets = lastSign < 0 ? parts : parts.slice(0, lastSign);
    all(lastSign < 0 ? [] : values, scope);
    const isPlain = values.length === 1 && targets.filter(({ name }) => name === ",").length === 0;
    for (const part of targets) {
      if (part.name === "TypeDef") visit(part, scope);
      else if (part.name !== "AssignOp")
        target(part, scope, lastSign >= 0 && isPlain ? values[0] : undefined);
    }
  }

  /** `for … in …` of a loop; of a comprehension the first source is read outside of it. */
  function loopParts(parts: SyntaxNode[], inner: Scope, outer: Scope): void {
    let part: "other" | "targets" | "source" = "other";
    let loops = 0;
    for (const node of parts) {
      if (node.name === "for") {
        part = "targets";
        loops++;
      } else if (node.name === "in" && part === "targets") part = "source";
      else if (node.name === "if" || node.name === "Body") part = "other";
      if (part === "targets") target(node, inner);
      else visit(node, part === "source" && loops === 1 ? outer : inner);
    }
  }

  /** Its loops are read before what it makes of them: the names that it uses are given there. */
  function comprehension(children: SyntaxNode[], outer: Scope): void {
    const inner = createScope("function", outer);
    comprehensions.add(inner);
    const start = children.findIndex(({ name }) => name === "for" || name === "async");
    loopParts(children.slice(start), inner, outer);
    all(children.slice(0, start), inner);
  }

  /** `:=` gives its name outside of the comprehension that it is in. */
  function outsideOfLoops(scope: Scope): Scope {
    return comprehensions.has(scope) && scope.parent ? outsideOfLoops(scope.parent) : scope;
  }

  function visit(node: SyntaxNode, scope: Scope): void {
    const children = childrenOf(node);
    switch (node.name) {
      case "ImportStatement":
        for (const imported of readImports(node, text)) {
          code.imports.push(imported);
          if (imported.name === undefined || imported.stands === undefined) continue;
          const binding = { at: node.from, certain: isCertain(node), path: imported.stands };
          bind(scope, imported.name, binding);
        }
        return;
      case "FunctionDefinition": {
        const name = node.getChild("VariableName");
        if (name) give(name, scope, { at: node.from });
        const inner = createScope("function", scope);
        parameters(node.getChild("ParamList"), scope, inner);
        all([...node.getChildren("TypeParamList"), ...node.getChildren("TypeDef")], scope);
        all(node.getChildren("Body"), inner);
        return;
      }
      case "LambdaExpression": {
        const inner = createScope("function", scope);
        const list = node.getChild("ParamList");
        parameters(list, scope, inner);
        return all(
          children.filter((child) => child.name !== "ParamList"),
          inner,
        );
      }
      case "ClassDefinition": {
        const name = node.getChild("VariableName");
        if (name) give(name, scope, { at: node.from });
        all([...node.getChildren("TypeParamList"), ...node.getChildren("ArgList")], scope);
        return all(node.getChildren("Body"), createScope("class", scope));
      }
      case "AssignStatement":
        return assignment(node, scope);
      case "NamedExpression": {
        const [name, , value] = children;
        if (value) visit(value, scope);
        return name && target(name, outsideOfLoops(scope), value);
      }
      case "ForStatement":
        return loopParts(children, scope, scope);
      case "ComprehensionExpression":
      case "ArrayComprehensionExpression":
      case "SetComprehensionExpression":
      case "DictionaryComprehensionExpression":
        return comprehension(children, scope);
      case "ArgList":
        if (children.some(({ name }) => name === "for")) return comprehension(children, scope);
        for (const [index, child] of children.entries()) {
          const sign = children[index + 1];
          const named = sign?.name === "AssignOp" ? text.slice(sign.from, sign.to) : "";
          if (named === ":=") target(child, outsideOfLoops(scope), children[index + 2]);
          else if (named !== "=") visit(child, scope);
        }
        return;
      case "WithStatement":
      case "TryStatement":
        for (const [index, child] of children.entries()) {
          if (children[index - 1]?.name === "as") target(child, scope);
          else visit(child, scope);
        }
        return;
      case "CapturePattern":
      case "AsPattern":
      case "StarPattern":
      case "MappingPattern":
        for (const child of children) {
          if (child.name === "VariableName") target(child, scope);
          else visit(child, scope);
        }
        return;
      case "KeywordPattern":
        return all(children.slice(1), scope);
      case "TypeDefinition": {
        const [, name, ...rest] = children;
        if (name) give(name, scope);
        return all(rest, scope);
      }
      case "TypeParam":
        return all(
          children.filter((child) => child.name !== "VariableName"),
          scope,
        );
      case "ScopeStatement":
        if (children[0]?.name === "global") {
          for (const name of node.getChildren("VariableName")) scope.globals.add(nameOf(name, text));
        }
        return;
      case "DeleteStatement":
        for (const child of children) {
          if (child.name === "VariableName") scope.deleted.add(nameOf(child, text));
          else visit(child, scope);
        }
        return;
      case "Decorator": {
        code.uses.push({ node, scope });
        const [first] = node.getChildren("VariableName");
        return all([...(first ? [first] : []), ...node.getChildren("ArgList")], scope);
      }
      case "VariableName":
      case "MemberExpression":
      case "CallExpression":
        code.uses.push({ node, scope });
        return all(children, scope);
      default:
        return all(children, scope);
    }
  }

  visit(top, code.module);
  return code;
}

const FLOW = ["IfStatement", "WhileStatement", "ForStatement", "TryStatement", "MatchStatement"];
const OWN_SCOPE = ["FunctionDefinition", "ClassDefinition", "LambdaExpression"];

/** Nothing between the name and its scope decides whether it is given. */
function isCertain(node: SyntaxNode): boolean {
  const outer = OWN_SCOPE.includes(node.parent?.name ?? "") ? node.parent!.parent : node.parent;
  for (let at = outer; at && !OWN_SCOPE.includes(at.name); at = at.parent) {
    if (FLOW.includes(at.name) || at.name === "ConditionalExpression" || at.name === "BinaryExpression")
      return false;
  }
  return true;
}

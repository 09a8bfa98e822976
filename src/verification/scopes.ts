import type { SyntaxNode } from "@lezer/common";

/** Something that a scope gives a name to. */
export interface Binding {
  at: number;
  /** It is bound whatever happens, not only if a branch or a loop is entered. */
  certain: boolean;
  /** The module, or the part of one, that an import binds. */
  path?: string;
  /** What a plain assignment binds. */
  value?: SyntaxNode;
}

export interface Scope {
  kind: "module" | "class" | "function";
  parent?: Scope;
  bindings: Map<string, Binding[]>;
  /** Declared `global` in it. */
  globals: Set<string>;
  /** Deleted in it: such a name may be the built-in again. */
  deleted: Set<string>;
}

export function createScope(kind: Scope["kind"], parent?: Scope): Scope {
  const scope = {
    kind,
    bindings: new Map<string, Binding[]>(),
    globals: new Set<string>(),
    deleted: new Set<string>(),
  };
  return parent ? { ...scope, parent } : scope;
}

export function bind(scope: Scope, name: string, binding: Binding): void {
  const owner = scope.globals.has(name) ? moduleOf(scope) : scope;
  const bindings = owner.bindings.get(name) ?? [];
  // What a function does to a global happens when it is called, if it is.
  bindings.push(owner === scope ? binding : { ...binding, certain: false });
  owner.bindings.set(name, bindings);
}

export function moduleOf(scope: Scope): Scope {
  return scope.parent ? moduleOf(scope.parent) : scope;
}

export interface Found {
  /** The code itself has made something of this name before. */
  isOwn: boolean;
  /** What of it may be a module or a part of one. */
  bindings: Binding[];
  scope: Scope;
}

/** What a name stands for where it is used; undefined when nothing here gives it. */
export function lookUp(name: string, at: number, from: Scope): Found | undefined {
  let perhaps: Found | undefined;
  let scope: Scope | undefined = from.globals.has(name) ? moduleOf(from) : from;
  for (let inner = true; scope; scope = scope.parent, inner = false) {
    const bindings = scope.bindings.get(name);
    // The body of a class is no surrounding of its methods.
    if (!bindings || (scope.kind === "class" && !inner)) continue;
    if (scope.kind === "function") return { isOwn: true, bindings, scope };
    const isDeleted = scope.deleted.has(name);
    const isOwn = !isDeleted && bindings.some((binding) => binding.certain && binding.at < at);
    if (isOwn || bindings.some(({ path, value }) => path ?? value)) return { isOwn, bindings, scope };
    perhaps ??= { isOwn, bindings, scope };
  }
  return perhaps;
}

import type { SyntaxNode } from "@lezer/common";
import { doorIn, whyNoDoor } from "./dynamic-access.ts";
import { WELL_KNOWN, type createPathFinder } from "./module-paths.ts";
import { childrenOf, literalOf, nameOf, positionalArguments } from "./nodes.ts";
import type { Use } from "./read-scopes.ts";
import { hasBlockedParts, whyNoFunction, whyNoModule, type VerificationRules } from "./rules.ts";

type Report = (node: SyntaxNode, message: string) => void;

/** Which argument names what is got, set or deleted. */
const NAMED_ACCESS = new Map([
  ["builtins.getattr", 1],
  ["builtins.setattr", 1],
  ["builtins.delattr", 1],
  ["operator.attrgetter", 0],
  ["operator.methodcaller", 0],
]);

interface Options {
  text: string;
  rules: VerificationRules;
  paths: ReturnType<typeof createPathFinder>;
  report: Report;
}

/** Checks one name, attribute or call against the rules. */
export function checkUse({ node, scope }: Use, { text, rules, paths, report }: Options): void {
  if (node.name === "CallExpression") return checkCall();
  const own = node.name === "MemberExpression" ? node.getChild("PropertyName") : node;
  if (!own) return checkKeys();
  // Only the whole chain says what is used: `os.path.join`, not first `os`.
  const property = node.name === "Decorator" ? node.getChildren("VariableName").at(-1)! : own;
  const name = nameOf(property, text);
  const door = whyNoDoor(name);
  const isFree = node.name !== "VariableName" || paths.pathsOf(node, scope).includes(`builtins.${name}`);
  if (door && (node.name !== "VariableName" || isFree)) return report(property, door);

  const found = paths.pathsOf(node, scope);
  for (const path of found) {
    const isBuiltin = path.startsWith("builtins.") && node.name === "VariableName";
    const why = (isBuiltin ? undefined : blockedModule(path)) ?? whyNoFunction(path, rules);
    if (why) return report(property, why);
    if (NAMED_ACCESS.has(path) && !isCallee(node)) {
      return report(
        property,
        `${name} is not allowed here as a value; call it with a name that is written out.`,
      );
    }
    if (!path.includes(".") && mustStayNamed(path) && isHandedOn(node)) {
      return report(property, `${path} is not allowed here as a value; write ${path}.… where you need it.`);
    }
  }
  // A name without a module: the rules may mean a method of any object.
  if (node.name === "MemberExpression" && found.length === 0) {
    const why = whyNoFunction(name, { ...rules, blockedFunctions: rules.blockedFunctions.filter(isPlain) });
    if (why) report(property, why);
  }

  function blockedModule(path: string): string | undefined {
    const [root = ""] = path.split(".");
    // Reached through another module, it was in no import.
    if (WELL_KNOWN.includes(root)) return whyNoModule(root, rules);
    const blocked = rules.blockedModules.filter((module) => path === module || path.startsWith(`${module}.`));
    return blocked.length > 0 ? whyNoModule(blocked[0]!, { ...rules, allowedModules: undefined }) : undefined;
  }

  function mustStayNamed(module: string): boolean {
    return ["os", "sys", "asyncio", "operator", "types"].includes(module) && hasBlockedParts(module, rules);
  }

  /** `frame["__builtins__"]` */
  function checkKeys(): void {
    for (const key of childrenOf(node)) {
      const literal = literalOf(key, text);
      const inner = literal === undefined ? undefined : doorIn(literal);
      if (inner) report(key, whyNoDoor(inner)!);
    }
  }

  function checkCall(): void {
    const [callee] = childrenOf(node);
    if (!callee) return;
    const called = callee.name === "MemberExpression" ? callee.getChild("PropertyName") : callee;
    const { allowedFunctions } = rules;
    if (allowedFunctions) {
      const isName = called?.name === "VariableName" || called?.name === "PropertyName";
      if (!isName || !allowedFunctions.includes(nameOf(called, text))) {
        const what = isName ? nameOf(called, text) : "what is called here";
        report(
          callee,
          `${what} is not allowed here: only ${allowedFunctions.join(", ") || "nothing"} may be called.`,
        );
      }
    }
    const given = positionalArguments(node, text);
    for (const path of paths.pathsOf(callee, scope)) {
      const position = NAMED_ACCESS.get(path);
      if (position === undefined) continue;
      checkNamedAccess(path, position === 0 ? given : given.slice(position, position + 1), given);
    }
    for (const argument of given) {
      const literal = literalOf(argument, text);
      const inner = literal !== undefined && /^[\w.]+$/.test(literal) ? doorIn(literal) : undefined;
      if (inner) report(argument, whyNoDoor(inner)!);
    }
  }

  function checkNamedAccess(path: string, names: SyntaxNode[], given: SyntaxNode[]): void {
    const accessor = path.slice(path.indexOf(".") + 1);
    const named = path === "operator.methodcaller" ? names.slice(0, 1) : names;
    const literals = named.map((argument) => literalOf(argument, text));
    if (literals.length === 0 || literals.includes(undefined)) {
      return report(
        node,
        `${accessor} is not allowed here with a name that isn't written out; write the attribute's name itself.`,
      );
    }
    const [object] = given;
    if (!path.startsWith("builtins.") || !object) return;
    for (const root of paths.pathsOf(object, scope)) {
      if (root.startsWith("builtins.")) continue;
      const why = blockedModule(`${root}.${literals[0]}`) ?? whyNoFunction(`${root}.${literals[0]}`, rules);
      if (why) report(node, why);
    }
  }
}

const isPlain = (pattern: string) => !pattern.includes(".");

function isCallee(node: SyntaxNode): boolean {
  return node.parent?.name === "CallExpression" && node.parent.firstChild?.from === node.from;
}

/** The module itself goes somewhere, other than into a plain name that is followed. */
function isHandedOn(node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent?.name === "MemberExpression") {
    return !parent.getChild("PropertyName") || parent.firstChild?.from !== node.from;
  }
  if (parent?.name === "AssignStatement") {
    const values = childrenOf(parent);
    return !(values.length === 3 && values[0]!.name === "VariableName");
  }
  return parent?.name !== "ExpressionStatement" && parent?.name !== "Decorator";
}

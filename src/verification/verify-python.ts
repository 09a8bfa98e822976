import type { SyntaxNode } from "@lezer/common";
import { checkUse } from "./check-uses.ts";
import { createPathFinder, type EarlierNames } from "./module-paths.ts";
import { nameOf } from "./nodes.ts";
import { takeOutNotebookLines } from "./notebook-lines.ts";
import { parsePython } from "./parse-python.ts";
import { problemAt, type Problem } from "./problem.ts";
import { readScopes, type ScopedCode } from "./read-scopes.ts";
import { hasBlockedParts, whyNoFunction, whyNoModule, type VerificationRules } from "./rules.ts";

const NOTHING_EARLIER: EarlierNames = { modules: new Map(), own: new Set() };

/**
 * What in the code is against the rules, or no Python. It reads the code and runs nothing; what it lets through is still
 * run in a sandbox, which is what keeps code in.
 *
 * @param earlier code that the same interpreter has run before: its imports and definitions still hold
 */
export function verifyPython(code: string, rules: VerificationRules, earlier: string[] = []): Problem[] {
  const source = code.replaceAll("\r\n", "\n");
  const notebook = takeOutNotebookLines(source);
  const { tree, text, syntaxError } = parsePython(notebook.text);
  const problems: Problem[] = [...notebook.problems, ...(syntaxError ? [syntaxError] : [])];
  const report = (node: SyntaxNode, message: string) => problems.push(problemAt(source, node.from, message));

  const scoped = readScopes(tree.topNode, text);
  const paths = createPathFinder(text, earlier.length > 0 ? namesOf(earlier) : NOTHING_EARLIER);
  checkImports(scoped, rules, report);
  for (const use of scoped.uses) checkUse(use, { text, rules, paths, report });
  const { allowedVariables } = rules;
  for (const node of allowedVariables ? scoped.assigned : []) {
    const name = nameOf(node, text);
    if (allowedVariables!.includes(name)) continue;
    report(
      node,
      `the variable ${name} is not allowed here: only ${allowedVariables!.join(", ") || "none"} may be assigned.`,
    );
  }
  return distinct(problems);
}

function checkImports(
  { imports }: ScopedCode,
  rules: VerificationRules,
  report: (node: SyntaxNode, message: string) => void,
): void {
  for (const { path, module, at } of imports) {
    const why =
      module.startsWith(".") && rules.allowedModules
        ? "relative imports are not allowed here: there is no package around this code."
        : (whyNoModule(module, rules) ?? whyNoPart(path, module, rules));
    if (why) report(at, why);
  }
}

function whyNoPart(path: string, module: string, rules: VerificationRules): string | undefined {
  if (path === module) return undefined;
  if (!path.endsWith(".*")) {
    return whyNoModule(path, { ...rules, allowedModules: undefined }) ?? whyNoFunction(path, rules);
  }
  if (!hasBlockedParts(module, rules)) return undefined;
  return `everything from ${module} is not allowed here: parts of it are excluded; import the names that you need.`;
}

/** What earlier code has imported and made. Parsing is quick: a megabyte takes about a fifth of a second. */
function namesOf(earlier: string[]): EarlierNames {
  const names: EarlierNames = { modules: new Map(), own: new Set() };
  for (const code of earlier) {
    const { tree, text } = parsePython(takeOutNotebookLines(code.replaceAll("\r\n", "\n")).text);
    const { module } = readScopes(tree.topNode, text);
    const { pathsOf } = createPathFinder(text, names);
    for (const [name, bindings] of module.bindings) {
      const paths = bindings.flatMap(({ path, value }) =>
        path !== undefined
          ? [path]
          : value
            ? pathsOf(value, module).filter((found) => !found.startsWith("builtins."))
            : [],
      );
      const isCertain = bindings.some(({ certain }) => certain);
      if (isCertain && paths.length === 0) names.modules.delete(name);
      if (paths.length > 0) names.modules.set(name, [...(names.modules.get(name) ?? []), ...paths]);
      if (isCertain) names.own.add(name);
    }
    for (const name of module.deleted) names.own.delete(name);
  }
  return names;
}

/** By place; a module that isn't allowed is named once, and the parts of one chain say the same thing once. */
function distinct(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems
    .toSorted((left, right) => left.line - right.line || left.column - right.column)
    .filter(({ line, message }) => {
      const key = message.startsWith("the module") ? message : `${line} ${message}`;
      return !seen.has(key) && seen.add(key);
    });
}

import {
  DEFAULT_BLOCKED_FUNCTIONS,
  DEFAULT_BLOCKED_MODULES,
  DEFAULT_GROUPS,
  TASKWEAVER_ALLOWED_MODULES,
  TASKWEAVER_BLOCKED_FUNCTIONS,
} from "./defaults.ts";

/** What code may do. A list that isn't there restricts nothing. */
export interface VerificationRules {
  /** Only these may be imported, and what is in them. */
  allowedModules?: string[] | undefined;
  blockedModules: string[];
  /** `name` is every function and method of that name, `module.name` that of the module, `*` the rest of a name. */
  blockedFunctions: string[];
  /** Only these may be called. */
  allowedFunctions?: string[] | undefined;
  /** Only these may be assigned. */
  allowedVariables?: string[] | undefined;
}

/** The lists as a project's config has them. */
export interface RuleSettings {
  /** Undefined when the config leaves it open: then code is verified, by our own lists. */
  code_verification_on?: boolean | undefined;
  allowed_modules?: string[] | undefined;
  blocked_modules?: string[] | undefined;
  blocked_functions?: string[] | undefined;
  allowed_functions?: string[] | undefined;
  allowed_variables?: string[] | undefined;
}

/**
 * The rules in force; undefined when verification is off. A project that uses TaskWeaver's switch or one of its lists
 * gets TaskWeaver's for what it leaves out; another one gets ours.
 */
export function rulesOf(settings: RuleSettings): VerificationRules | undefined {
  const { code_verification_on: isOn, allowed_modules, blocked_modules, blocked_functions } = settings;
  if (isOn === false) return undefined;
  const restrictions = {
    allowedFunctions: settings.allowed_functions,
    allowedVariables: settings.allowed_variables,
  };
  if (isOn || allowed_modules || blocked_functions) {
    return {
      allowedModules: allowed_modules ?? (blocked_modules ? undefined : TASKWEAVER_ALLOWED_MODULES),
      blockedModules: blocked_modules ?? [],
      blockedFunctions: blocked_functions ?? TASKWEAVER_BLOCKED_FUNCTIONS,
      ...restrictions,
    };
  }
  return {
    blockedModules: blocked_modules ?? DEFAULT_BLOCKED_MODULES,
    blockedFunctions: DEFAULT_BLOCKED_FUNCTIONS,
    ...restrictions,
  };
}

/** Why this module may not be imported or used, in words for whoever wrote the code. */
export function whyNoModule(path: string, rules: VerificationRules): string | undefined {
  const { allowedModules, blockedModules } = rules;
  if (blockedModules.some((module) => isIn(path, module))) {
    return `the module ${path} is not allowed here: ${reasonFor(path, ({ modules }) => modules)}.`;
  }
  if (allowedModules && !allowedModules.some((module) => isIn(path, module) || isIn(module, path))) {
    const known = allowedModules.length > 0 ? `only ${allowedModules.join(", ")}` : "nothing";
    return `the module ${path} is not allowed here: ${known} may be imported.`;
  }
  return undefined;
}

/** Why the function of this dotted path may not be used; built-ins are in `builtins`. */
export function whyNoFunction(path: string, rules: VerificationRules): string | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const matches = (pattern: string) =>
    pattern.includes(".") ? prefixes(path).some((part) => fits(part, pattern)) : fits(name, pattern);
  if (!rules.blockedFunctions.some(matches)) return undefined;
  const shown = path.replace(/^builtins\./, "");
  return `${shown} is not allowed here: ${reasonFor(path, ({ functions }) => functions)}.`;
}

/** Whether the module has parts that are blocked, so that it must not be handed on unseen. */
export function hasBlockedParts(module: string, rules: VerificationRules): boolean {
  return [...rules.blockedFunctions, ...rules.blockedModules].some((entry) => entry.startsWith(`${module}.`));
}

/** What the model is told of the rules before it writes. */
export function describeRules(rules: VerificationRules): string {
  const { allowedModules, blockedModules, blockedFunctions, allowedFunctions, allowedVariables } = rules;
  const isOurs = blockedModules === DEFAULT_BLOCKED_MODULES && blockedFunctions === DEFAULT_BLOCKED_FUNCTIONS;
  const list = (names: string[]) => names.map((name) => name.replace(/^builtins\./, "")).join(", ") || "none";
  const lines = isOurs
    ? DEFAULT_GROUPS.map(({ rule }) => rule)
    : [
        allowedModules && `Only these modules may be imported: ${list(allowedModules)}.`,
        blockedModules.length > 0 && `These modules may not be used: ${list(blockedModules)}.`,
        blockedFunctions.length > 0 && `These functions may not be used: ${list(blockedFunctions)}.`,
      ];
  return [
    ...lines,
    allowedFunctions && `Only these functions may be called: ${list(allowedFunctions)}.`,
    allowedVariables && `Only these variables may be assigned: ${list(allowedVariables)}.`,
    "Attributes are named, not computed: no getattr with a variable, no __class__, __dict__, __globals__.",
    "No shell lines and no notebook magics; `!pip install name` is understood.",
  ]
    .filter((line) => typeof line === "string")
    .map((line) => `- ${line}`)
    .join("\n");
}

const isIn = (path: string, module: string) => path === module || path.startsWith(`${module}.`);

function prefixes(path: string): string[] {
  const parts = path.split(".");
  return parts.map((_part, index) => parts.slice(0, index + 1).join("."));
}

function fits(name: string, pattern: string): boolean {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return name === pattern;
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

function reasonFor(path: string, entries: (group: (typeof DEFAULT_GROUPS)[number]) => string[]): string {
  const group = DEFAULT_GROUPS.find((candidate) =>
    entries(candidate).some((entry) => prefixes(path).some((part) => fits(part, entry))),
  );
  return group?.why ?? "the rules of this deployment exclude it; find another way";
}

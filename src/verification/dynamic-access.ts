/** What leads from any object to the interpreter behind it. Ordinary methods such as `__init__` or `__len__` don't. */
const DOORS = new Set([
  "__class__",
  "__bases__",
  "__base__",
  "__mro__",
  "__subclasses__",
  "__globals__",
  "__builtins__",
  "__builtin__",
  "__dict__",
  "__code__",
  "__closure__",
  "__func__",
  "__self__",
  "__wrapped__",
  "__import__",
  "__loader__",
  "__spec__",
  "__getattribute__",
  "__setattr__",
  "__delattr__",
  "__reduce__",
  "__reduce_ex__",
  "__defaults__",
  "__kwdefaults__",
  "__objclass__",
  "f_globals",
  "f_locals",
  "f_builtins",
  "f_back",
  "f_code",
  "gi_frame",
  "gi_code",
  "cr_frame",
  "cr_code",
  "ag_frame",
  "ag_code",
  "tb_frame",
  "tb_next",
  "func_globals",
  "func_code",
  "enable_load_extension",
  "load_extension",
]);

const INSTEAD: Record<string, string> = {
  __class__: "use type(…) or isinstance(…)",
  __dict__: "name the attributes that you need",
  __builtins__: "call the functions by their names",
  __import__: "write an import statement",
};

/** Why a name may not be used as a name, as an attribute or as a key; undefined for one that may. */
export function whyNoDoor(name: string): string | undefined {
  if (!DOORS.has(name)) return undefined;
  return `${name} is not allowed here: it leads into the interpreter; ${INSTEAD[name] ?? "do without it"}.`;
}

/** The first such name in a literal that names attributes, as `"a.__class__"` does for attrgetter. */
export function doorIn(literal: string): string | undefined {
  return literal.split(".").find((name) => DOORS.has(name));
}

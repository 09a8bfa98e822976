import type { PluginSpec } from "./plugin.ts";

type Parameter = PluginSpec["parameters"][number];

/** The plugin as a Python signature, the way the model is told of it. */
export function renderPluginSignature(plugin: PluginSpec): string {
  const parameters = plugin.parameters.map(renderParameter).join("\n    ");
  const head = parameters ? `def ${plugin.name}(\n    ${parameters}\n)` : `def ${plugin.name}()`;
  const lines = [plugin.description.trim(), ...renderReturns(plugin.returns)];
  if (plugin.examples.trim()) lines.push("Examples:", plugin.examples.trim());
  const body = lines.join("\n").replaceAll("\n", "\n    ");
  return `${head}${returnType(plugin.returns)}:\n    """${body}"""`;
}

function renderParameter({ name, type, description, required }: Parameter): string {
  const comment = description.trim().replaceAll("\n", " ");
  return required ? `${name}: ${type},  # ${comment}` : `${name}: Optional[${type}] = None,  # ${comment}`;
}

function returnType(returns: Parameter[]): string {
  if (returns.length === 0) return "";
  if (returns.length === 1) return ` -> ${returns[0]!.type}`;
  return ` -> Tuple[${returns.map(({ type }) => type).join(", ")}]`;
}

function renderReturns(returns: Parameter[]): string[] {
  if (returns.length === 0) return [];
  return ["Returns:", ...returns.map(({ name, description }) => `- ${name}: ${description.trim()}`)];
}

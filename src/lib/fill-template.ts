/**
 * Fills `{NAME}` places of a prompt. Written for TaskWeaver's prompt files, which double the braces that are meant
 * literally; unlike Python's `str.format`, a place that nobody fills stays as it is and stray braces never throw.
 */
export function fillTemplate(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (found, name?: string) => {
    if (found === "{{") return "{";
    if (found === "}}") return "}";
    return name !== undefined && Object.hasOwn(values, name) ? values[name]! : found;
  });
}

import type { Role } from "./role.ts";

/** A project's role takes the place of the one that ships under the same name. */
export function mergeRoles<Entry>(
  shipped: Entry[],
  ofProject: Entry[],
  roleOf: (entry: Entry) => Pick<Role, "name">,
): Entry[] {
  const names = new Set(ofProject.map((entry) => roleOf(entry).name));
  return [...shipped.filter((entry) => !names.has(roleOf(entry).name)), ...ofProject];
}

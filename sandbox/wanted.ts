import type { InstalledPlugin } from "./engines/engine.ts";

/** What a context should hold besides its variables; undefined means as it was. */
export interface Wanted {
  plugins?: InstalledPlugin[] | undefined;
  variables?: Record<string, string> | undefined;
  memoryMb?: number | undefined;
  /** By name; a context that changes it gets an empty interpreter. */
  engine?: string | undefined;
}

export interface Held {
  plugins: InstalledPlugin[];
  variables: Record<string, string>;
  memoryMb: number;
}

/** Whether the interpreter has to be told; a new memory limit can wait for the next one. */
export function asksForChange({ plugins, variables }: Wanted, held: Held): boolean {
  return (
    (plugins !== undefined && identity(plugins) !== identity(held.plugins)) ||
    (variables !== undefined && JSON.stringify(variables) !== JSON.stringify(held.variables))
  );
}

export const updated = (held: Held, wanted: Wanted): Held => ({
  plugins: wanted.plugins ?? held.plugins,
  variables: wanted.variables ?? held.variables,
  memoryMb: wanted.memoryMb ?? held.memoryMb,
});

const identity = (plugins: InstalledPlugin[]) =>
  JSON.stringify(plugins.map(({ name, hash }) => [name, hash]));

import { parseArgs } from "node:util";
import { createApiKey, hashApiKey } from "../../src/keys/api-key.ts";
import { scopes as knownScopes, type Scope } from "../../src/keys/key.ts";

/** What was asked for can't be done as it is said. */
export class UsageError extends Error {}

export interface KeyCommand {
  remote: boolean;
  sql: string;
  /** What to tell of the rows that come back. */
  show(rows: Record<string, unknown>[]): string;
}

export const usage = `Usage: npm run keys -- add NAME --tenant TENANT [--scopes chat,read,admin] [--expires 30d]
       npm run keys -- list
       npm run keys -- revoke ID
Keys are those of the local database; --remote takes the deployment's.`;

const UNITS: Record<string, number> = {
  h: 3600_000,
  d: 24 * 3600_000,
  w: 7 * 24 * 3600_000,
  y: 365 * 24 * 3600_000,
};

/** The database's part of a command. @throws UsageError */
export async function readCommand(args: string[], now = Date.now()): Promise<KeyCommand> {
  const { positionals, values } = parse(args);
  const [command, subject, ...rest] = positionals;
  const remote = values.remote ?? false;
  if (rest.length > 0) throw new UsageError(`"${rest.join(" ")}" is too much. ${usage}`);
  switch (command) {
    case "add":
      return { remote, ...(await add(subject, values, now)) };
    case "list":
      return {
        remote,
        sql: "SELECT * FROM api_keys ORDER BY created_at",
        show: (rows) => showList(rows, now),
      };
    case "revoke":
      return { remote, ...revoke(subject, now) };
    default:
      throw new UsageError(usage);
  }
}

function parse(args: string[]) {
  const options = {
    tenant: { type: "string" },
    scopes: { type: "string" },
    expires: { type: "string" },
    remote: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

async function add(
  name: string | undefined,
  values: { tenant?: string; scopes?: string; expires?: string },
  now: number,
) {
  const { tenant } = values;
  if (name === undefined || tenant === undefined) throw new UsageError(usage);
  for (const text of [name, tenant]) {
    if (!/^[\w.@-]{1,100}$/.test(text)) {
      throw new UsageError(`"${text}" can't be a name: it takes 1 to 100 letters, digits and . _ @ -`);
    }
  }
  const scopes = (values.scopes ?? "chat").split(",").map((scope) => scope.trim());
  const wrong = scopes.find((scope) => !knownScopes.includes(scope as Scope));
  if (wrong !== undefined) {
    throw new UsageError(`There is no scope "${wrong}". Known are: ${knownScopes.join(", ")}.`);
  }
  const expiresAt = values.expires === undefined ? null : now + duration(values.expires);
  const { id, key } = createApiKey();
  const row = [id, await hashApiKey(key), name, tenant, JSON.stringify(scopes), now, expiresAt];
  const sql = `INSERT INTO api_keys (id, hash, name, tenant, scopes, created_at, expires_at) VALUES (${row.map(quote).join(", ")})`;
  const until = expiresAt === null ? "for ever" : `until ${new Date(expiresAt).toISOString()}`;
  return {
    sql,
    show: () =>
      `${key}\nThe key ${id} of ${tenant}, good for ${scopes.join(", ")} ${until}. It is shown this once: only its hash is kept.`,
  };
}

function revoke(id: string | undefined, now: number) {
  if (id === undefined || !/^[0-9a-f]{12}$/.test(id)) {
    throw new UsageError(`A key is revoked by its id, as "list" shows it.\n${usage}`);
  }
  return {
    sql: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE id = ${quote(id)} RETURNING name`,
    show: (rows: Record<string, unknown>[]) =>
      rows.length === 0
        ? `There is no key ${id}.`
        : `The key ${id} (${String(rows[0]!.name)}) is revoked. Within half a minute nobody takes it any more.`,
  };
}

function duration(text: string): number {
  const [, amount, unit] = /^(\d+)([hdwy])$/.exec(text) ?? [];
  if (amount === undefined || Number(amount) === 0) {
    throw new UsageError(`--expires takes a number and h, d, w or y (30d), not "${text}".`);
  }
  return Number(amount) * UNITS[unit!]!;
}

function showList(rows: Record<string, unknown>[], now: number): string {
  if (rows.length === 0) return "There are no keys.";
  const time = (at: unknown) => (typeof at === "number" ? new Date(at).toISOString().slice(0, 16) : "never");
  const lines = rows.map((row) => {
    const isOver = typeof row.expires_at === "number" && row.expires_at <= now;
    const state = row.revoked_at !== null ? "revoked" : isOver ? "expired" : "good";
    const scopes = (JSON.parse(String(row.scopes)) as string[]).join(",");
    return [row.id, row.name, row.tenant, scopes, state, time(row.expires_at), time(row.last_used_at)].map(
      String,
    );
  });
  const table = [["ID", "NAME", "TENANT", "SCOPES", "STATE", "EXPIRES", "LAST USED"], ...lines];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const quote = (value: string | number | null) =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);

import { resolve } from "node:path";
import { repositoryPath } from "./content/compile.ts";
import { readCommand, UsageError } from "./keys/commands.ts";
import { readSettings, StackError } from "./stack/settings.ts";
import { executeSql, migrateLocally } from "./stack/wrangler.ts";

// `npm run keys`: makes, lists and revokes the keys by which the API is called.

try {
  const { remote, sql, show } = await readCommand(process.argv.slice(2));
  const stateDir = resolve(readSettings([repositoryPath]).STATE_DIR ?? ".wrangler/state");
  if (!remote) await migrateLocally(stateDir);
  console.log(show(await executeSql(sql, remote ? "remote" : { stateDir })));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StackError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

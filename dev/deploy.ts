import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { compileContent, repositoryPath, type Compiled } from "./content/compile.ts";
import { ContentError, showProblem } from "./content/problem.ts";
import { writeRegistries } from "./content/registries.ts";
import { writeShim } from "./content/sandbox-shim.ts";
import { deploymentSteps, missingSecrets, objections } from "./deploy/plan.ts";

// `npm run deploy`: compiles the project, deploys the Worker (Cloudflare makes the database and the bucket the first
// time), brings the database up to date, and says which secrets are still missing. `--dry-run` only builds.

const dryRun = process.argv.includes("--dry-run");
const wranglerBin = join(repositoryPath, "node_modules/.bin/wrangler");

function wrangler(args: string[], stdio: "inherit" | "pipe"): { ok: boolean; stdout: string } {
  const { status, stdout } = spawnSync(wranglerBin, args, { cwd: repositoryPath, stdio, encoding: "utf8" });
  return { ok: status === 0, stdout: stdout ?? "" };
}

function wranglerOrExit(args: string[]): void {
  console.log(`wrangler ${args.join(" ")}`);
  if (!wrangler(args, "inherit").ok) {
    console.error(`"wrangler ${args.join(" ")}" failed; nothing after it was done.`);
    process.exit(1);
  }
}

async function compileOrExit(): Promise<Pick<Compiled, "secrets" | "config">> {
  try {
    writeRegistries();
    writeShim();
    const outFolder = join(repositoryPath, "src/content");
    const { secrets, config, warnings } = await compileContent({ projectPath: repositoryPath, outFolder });
    for (const warning of warnings) console.warn(`warning: ${showProblem(warning)}`);
    return { secrets, config };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    console.error(`The project's files have errors:\n${error.message}`);
    process.exit(1);
  }
}

const { secrets, config } = await compileOrExit();
const wranglerConfig = parse(readFileSync(join(repositoryPath, "wrangler.toml"), "utf8"));
const against = objections({
  secrets,
  config,
  variables: (wranglerConfig.vars ?? {}) as Record<string, unknown>,
});
if (against.length > 0) {
  console.error(`Not deployed.\n${against.join("\n")}`);
  process.exit(1);
}

if (dryRun) {
  wranglerOrExit(["deploy", "--dry-run", "--outdir", ".wrangler/dry-run"]);
} else {
  const [database] = wranglerConfig.d1_databases as [{ database_name: string }];
  const known = wrangler(["d1", "list", "--json"], "pipe");
  if (!known.ok) {
    console.error(
      "Cloudflare can't be asked. Log in first: npx wrangler login (or set CLOUDFLARE_API_TOKEN).",
    );
    process.exit(1);
  }
  const databases = JSON.parse(known.stdout) as { name: string }[];
  const databaseExists = databases.some(({ name }) => name === database.database_name);
  for (const step of deploymentSteps({ databaseExists })) wranglerOrExit(step);
  const listed = wrangler(["secret", "list", "--format", "json"], "pipe");
  const present = listed.ok ? (JSON.parse(listed.stdout) as { name: string }[]).map(({ name }) => name) : [];
  const missing = missingSecrets(present);
  console.log(
    missing.length === 0
      ? "Deployed. See that it works: npm run smoke -- https://<your worker> --key <an API key>"
      : `Deployed. Still to be set:\n${missing.join("\n")}`,
  );
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repositoryPath } from "./content/compile.ts";

// `npm run check`: everything that can be told without running the code. All of it is tried, so that one run shows all
// that there is to mend.

const steps: [what: string, ...command: string[]][] = [
  ["format (mend: npm run format)", "oxfmt", "--check"],
  ["lint", "oxlint", "--deny-warnings"],
  ["generated files (mend: npm run gen)", "node", join(repositoryPath, "dev/gen.ts"), "--check"],
  ["types of the Worker", "tsc", "-p", "tsconfig.json"],
  ["types of the Node side", "tsc", "-p", "tsconfig.node.json"],
  [
    "types of the bindings (mend: npm run typegen)",
    "wrangler",
    "types",
    "worker-configuration.d.ts",
    "--check",
    "--include-runtime=false",
    "--env-file=.dev.vars.example",
  ],
  ["import arrows", "depcruise", "src", "dev", "sandbox", "test", "--config", ".dependency-cruiser.json"],
  ["unused code", "knip"],
];

const bin = join(repositoryPath, "node_modules/.bin");
let failed = 0;
for (const [what, command, ...args] of steps) {
  const { status, stdout, stderr } = spawnSync(join(bin, command!), args, {
    cwd: repositoryPath,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      WRANGLER_SEND_METRICS: "false",
      NO_UPDATE_NOTIFIER: "1",
    },
  });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${what}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}`.trim());
}
console.log(failed === 0 ? "All checks passed." : `${failed} of ${steps.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;

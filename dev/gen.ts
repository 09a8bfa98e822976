import { join } from "node:path";
import { compileContent, repositoryPath } from "./content/compile.ts";
import { ContentError, showProblem } from "./content/problem.ts";
import { writeRegistries } from "./content/registries.ts";
import { writeShim } from "./content/sandbox-shim.ts";

// `npm run gen`: the project's files and the registries, compiled into the Worker. `--check` fails when something was
// out of date (and has it up to date then).
const check = process.argv.includes("--check");

try {
  const written = [...writeRegistries(), ...writeShim()];
  const compiled = await compileContent({
    projectPath: repositoryPath,
    outFolder: join(repositoryPath, "src/content"),
  });
  written.push(...compiled.written);
  for (const warning of compiled.warnings) console.warn(`warning: ${showProblem(warning)}`);
  for (const path of written) console.log(`made ${path.slice(repositoryPath.length + 1)}`);
  if (check && written.length > 0) {
    console.error("Generated files were out of date. They are up to date now: commit them.");
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(`The project's files have errors:\n${error.message}`);
  process.exitCode = 1;
}

import { existsSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { compileContent, repositoryPath, type Compiled } from "../content/compile.ts";
import { ContentError, showProblem } from "../content/problem.ts";

const PROJECT_FILES = /^(taskweaver_config\.json|(experience|examples|plugins|roles|prompts)\b.*|.*\.ya?ml)$/;
const SETTLE_MS = 50;

/**
 * Compiles the project once, and again whenever one of its files changes; the Worker is made anew from what changed. A
 * file with errors changes nothing: the Worker goes on with what it had.
 */
export async function watchContent(options: {
  projectPath: string;
  outFolder: string;
  onLine: (line: string) => void;
}): Promise<Compiled & { stop(): void }> {
  const { projectPath, outFolder, onLine } = options;
  const compiled = await compileContent({ projectPath, outFolder });
  for (const warning of compiled.warnings) onLine(`warning: ${showProblem(warning)}`);

  let timer: NodeJS.Timeout | undefined;
  let secrets = JSON.stringify(compiled.secrets);
  async function again(): Promise<void> {
    try {
      const next = await compileContent({ projectPath, outFolder });
      for (const warning of next.warnings) onLine(`warning: ${showProblem(warning)}`);
      if (next.written.length > 0) onLine("The project's files were compiled anew.");
      if (JSON.stringify(next.secrets) !== secrets)
        onLine("Secrets have changed: start again for them to be used.");
      secrets = JSON.stringify(next.secrets);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      onLine(`The project's files have errors; the last good ones stay in use:\n${error.message}`);
    }
  }
  const changed = (_event: string, file: string | null) => {
    if (file !== null && !PROJECT_FILES.test(file.replaceAll("\\", "/"))) return;
    clearTimeout(timer);
    timer = setTimeout(() => void again(), SETTLE_MS);
  };

  const watchers: FSWatcher[] = [watch(projectPath, changed)];
  const folders = ["experience", "examples", "plugins", "roles", "prompts"].map((name) =>
    join(projectPath, name),
  );
  for (const folder of [...folders, join(repositoryPath, "src/roles")]) {
    if (existsSync(folder))
      watchers.push(watch(folder, { recursive: true }, (event) => changed(event, null)));
  }
  return {
    ...compiled,
    stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

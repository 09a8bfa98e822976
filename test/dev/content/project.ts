import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { compileContent } from "../../../dev/content/compile.ts";
import type { Content } from "../../../src/content/content.ts";
import type { EdgePlugin } from "../../../src/plugins/edge-plugin.ts";
import type { Role } from "../../../src/roles/role.ts";

/** A project folder with these files, gone at the end of the test. */
export function createProject(files: Record<string, string>) {
  const path = mkdtempSync(join(tmpdir(), "project-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  let compilations = 0;
  return {
    path,
    write,
    outFolder: join(path, ".out"),
    /** Compiles the project and loads the module that came of it. */
    async compile() {
      const outFolder = join(path, ".out", String(++compilations));
      const compiled = await compileContent({ projectPath: path, outFolder });
      const module = (await import(pathToFileURL(compiled.modulePath).href)) as {
        content: Content;
        edgePlugins: Record<string, EdgePlugin>;
        projectRoles: Role[];
      };
      return { ...compiled, ...module };
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

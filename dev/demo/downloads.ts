import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { ApiClient } from "./api-client.ts";

const FOLDER = "taskweaver-demo";

/** Fetches the session's artifacts that weren't fetched before; the paths that they were written to. */
export async function downloadArtifacts(
  client: ApiClient,
  session: string,
  { folder, fetched }: { folder: string; fetched: Set<string> },
): Promise<string[]> {
  const fresh = (await client.listArtifacts(session)).filter((artifact) => !fetched.has(artifact.id));
  if (fresh.length === 0) return [];
  const target = join(folder, FOLDER);
  await mkdir(target, { recursive: true });
  const paths: string[] = [];
  for (const { id, name } of fresh) {
    const content = await client.downloadArtifact(session, id);
    paths.push(await writeFresh(target, localName(name), content));
    fetched.add(id);
  }
  return paths;
}

/** The last part of a name, so that nothing is written outside of the folder. */
function localName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- no file name needs them
  const last = basename(name.replaceAll("\\", "/")).replace(/[\u0000-\u001f]/g, "");
  return last === "" || last === "." || last === ".." ? "artifact" : last;
}

/** Writes under a name that is still free: an earlier result is never overwritten. */
async function writeFresh(folder: string, name: string, content: Uint8Array): Promise<string> {
  const ending = extname(name);
  for (let number = 1; ; number++) {
    const path = join(
      folder,
      number === 1 ? name : `${name.slice(0, name.length - ending.length)}-${number}${ending}`,
    );
    try {
      await writeFile(path, content, { flag: "wx" });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

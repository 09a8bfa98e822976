import { InvalidFileNameError, parseFileName, type SessionFiles } from "../../files/files.ts";
import type { SessionRef } from "../../memory/session.ts";
import type { Deployment } from "../channel.ts";
import { HttpProblem } from "./problem.ts";

// A file's id names where it lies: `<session>/files/<name>`, `<session>/artifacts/<id>`. It means something to its own
// tenant only, since nothing is looked for elsewhere.

export const uploadId = (sessionId: string, name: string) => `${sessionId}/files/${name}`;

/** Puts the file of an id under a name into a session's uploads. @throws HttpProblem 422 when there is no such file */
export async function putFromId(options: {
  id: string;
  name: string;
  to: SessionRef;
  files: SessionFiles;
  deployment: Deployment;
}): Promise<void> {
  const { id, name, to, files, deployment } = options;
  const missing = () =>
    new HttpProblem(
      422,
      "unknown_file",
      `There is no file "${id.slice(0, 200)}". Ids are as GET …/files tells them.`,
    );
  const [, sessionId, kind, rest] = /^([^/]+)\/(files|artifacts)\/(.+)$/s.exec(id) ?? [];
  if (sessionId === undefined || rest === undefined) throw missing();
  const source =
    sessionId === to.id
      ? files
      : (await deployment.messageServices({ tenant: to.tenant, id: sessionId })).files;
  if (kind === "artifacts") {
    const found = await source.getArtifact(rest);
    if (!found) throw missing();
    await files.putUpload(name, found.body, { mime: found.artifact.mime, size: found.size });
    return;
  }
  if (!isFileName(rest)) throw missing();
  if (sessionId === to.id && rest === name) {
    if (!(await files.findUpload(name))) throw missing();
    return;
  }
  const found = await source.getUpload(rest);
  if (!found) throw missing();
  await files.putUpload(name, found.body, { mime: found.mime, size: found.size });
}

function isFileName(name: string): boolean {
  try {
    parseFileName(name);
    return true;
  } catch (error) {
    if (error instanceof InvalidFileNameError) return false;
    throw error;
  }
}

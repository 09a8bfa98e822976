import type { Artifact, SessionFiles } from "./files.ts";

/** Copies a session's uploads, and those of its artifacts that are wanted, to another session. */
export async function copyFiles(options: {
  from: SessionFiles;
  to: SessionFiles;
  isWanted: (artifact: Artifact) => boolean;
}): Promise<void> {
  const { from, to, isWanted } = options;
  for (const { name } of await from.listUploads()) {
    const found = await from.getUpload(name);
    if (found) await to.putUpload(name, found.body, { mime: found.mime, size: found.size });
  }
  for (const artifact of (await from.listArtifacts()).filter(isWanted)) {
    const found = await from.getArtifact(artifact.id);
    if (found) await to.putArtifact(artifact, found);
  }
}

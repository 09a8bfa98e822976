import type { SessionFiles } from "../files/files.ts";
import type { StoredSessionFile, Turn } from "../roles/role.ts";

/** A session's files as its roles see them. Of an upload and an artifact of one name, the newer one counts. */
export function createTurnFiles(files: SessionFiles): Turn["sessionFiles"] {
  async function list(): Promise<StoredSessionFile[]> {
    const [uploads, artifacts] = await Promise.all([files.listUploads(), files.listArtifacts()]);
    const all = [
      ...uploads.map(({ name, size, mime, uploadedAt }) => ({ name, size, mime, at: uploadedAt })),
      ...artifacts.map(({ id, name, size, mime, createdAt }) => ({
        name,
        size,
        mime,
        at: createdAt,
        artifactId: id,
      })),
    ].toSorted((left, right) => left.at - right.at);
    return [...new Map(all.map((file) => [file.name, file])).values()];
  }

  return {
    list,
    async read({ name, artifactId }) {
      const found =
        artifactId === undefined ? await files.getUpload(name) : await files.getArtifact(artifactId);
      return found && new Response(found.body).bytes();
    },
  };
}

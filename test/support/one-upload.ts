import type { SessionFiles } from "../../src/files/files.ts";

/** The files of a session whose User has uploaded one; nothing can be done but read it. */
export function oneUpload(name: string, content: string): Partial<SessionFiles> {
  const bytes = new TextEncoder().encode(content);
  const file = { name, size: bytes.length, mime: "image/gif", etag: '"1"', uploadedAt: 1 };
  return {
    listUploads: async () => [file],
    listArtifacts: async () => [],
    getUpload: async (asked) => (asked === name ? { ...file, body: new Blob([bytes]).stream() } : undefined),
  };
}

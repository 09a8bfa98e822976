import type { HostFile } from "../kernel-host.ts";
import type { E2bApi } from "./api.ts";

export const HOME = "/home/user";

interface Entry {
  name: string;
  type: "FILE_TYPE_FILE" | "FILE_TYPE_DIRECTORY";
  path: string;
}

/** Files of a sandbox, by the service inside it. The first part of a path names the sandbox. */
export function createE2bFiles(api: E2bApi) {
  /** What lies in `name` and in what begins with it and a dot is in the sandbox of that name. */
  const sandboxOf = (path: string) => path.split("/")[0]!.replace(/\.taskweaver$/, "");
  const at = (path: string) => `${HOME}/${path}`;
  const fileUrl = (path: string) => `files?${new URLSearchParams({ path: at(path), username: "user" })}`;

  /** Connect's unary calls: JSON in, JSON out. */
  async function call<Answer>(method: string, path: string, more: object = {}): Promise<Answer | undefined> {
    const response = await api.files(sandboxOf(path), `filesystem.Filesystem/${method}`, {
      method: "POST",
      body: JSON.stringify({ path: at(path), ...more }),
    });
    if (!response || response.status === 404 || response.status === 409) return undefined;
    return (await api.expectOk(response, method)).json() as Promise<Answer>;
  }

  async function list(folder: string): Promise<Entry[]> {
    return (await call<{ entries?: Entry[] }>("ListDir", folder, { depth: 1 }))?.entries ?? [];
  }

  async function listFiles(folder: string): Promise<string[]> {
    const found: string[] = [];
    for (const { name, type } of await list(folder)) {
      if (type === "FILE_TYPE_FILE") found.push(name);
      else found.push(...(await listFiles(`${folder}/${name}`)).map((path) => `${name}/${path}`));
    }
    return found.toSorted();
  }

  return {
    listFiles,
    makeFolder: async (path: string): Promise<void> => void (await call("MakeDir", path)),
    remove: async (path: string): Promise<void> => void (await call("Remove", path)),

    async readFile(path: string): Promise<HostFile | undefined> {
      const response = await api.files(sandboxOf(path), fileUrl(path), { method: "GET" });
      if (!response || response.status === 404) return undefined;
      const { body, headers } = await api.expectOk(response, "reading a file");
      const length = headers.get("content-length");
      if (length !== null && headers.get("content-encoding") === null) {
        return { body: body ?? new Blob([]).stream(), size: Number(length) };
      }
      const blob = await new Response(body).blob();
      return { body: blob.stream(), size: blob.size };
    },

    /** Folders on the way are made by the service. */
    async writeFile(path: string, { body }: HostFile): Promise<void> {
      const form = new FormData();
      form.append("file", await new Response(body).blob(), path.split("/").at(-1)!);
      const response = await api.files(sandboxOf(path), fileUrl(path), { method: "POST", body: form });
      if (response) await (await api.expectOk(response, "storing a file")).body?.cancel();
    },
  };
}

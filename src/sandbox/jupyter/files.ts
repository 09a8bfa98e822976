import { SandboxUnreachableError } from "../sandbox.ts";
import type { HostFile } from "../kernel-host.ts";
import type { JupyterApi } from "./api.ts";

/** Of a file, in one request; three bytes become four characters, so it is a multiple of three. */
const PIECE = 3 * 1024 * 1024;

interface Content {
  name: string;
  type: "directory" | "file" | "notebook";
  content?: Content[];
}

/** Files below the server's root, by its contents interface; raw bytes by its files handler. */
export function createJupyterFiles(api: JupyterApi) {
  const encode = (path: string) => path.split("/").map(encodeURIComponent).join("/");
  const contents = (path: string) => `contents/${encode(path)}`;

  async function makeFolder(path: string): Promise<void> {
    const parts = path.split("/");
    for (let depth = 1; depth <= parts.length; depth++) {
      await api.send("PUT", contents(parts.slice(0, depth).join("/")), { type: "directory" });
    }
  }

  async function list(folder: string): Promise<Content[]> {
    const found = await api.find<Content>(`${contents(folder)}?content=1`);
    return found?.type === "directory" ? (found.content ?? []) : [];
  }

  async function listFiles(folder: string): Promise<string[]> {
    const found: string[] = [];
    for (const { name, type } of await list(folder)) {
      if (type !== "directory") found.push(name);
      else found.push(...(await listFiles(`${folder}/${name}`)).map((path) => `${name}/${path}`));
    }
    return found.toSorted();
  }

  async function writePieces(path: string, { body, size }: HostFile): Promise<void> {
    let chunk = 0;
    let sent = 0;
    for await (const bytes of pieces(body)) {
      sent += bytes.length;
      const isLast = sent >= size;
      await api.send("PUT", contents(path), {
        type: "file",
        format: "base64",
        content: base64(bytes),
        ...(size > PIECE ? { chunk: isLast ? -1 : ++chunk } : {}),
      });
    }
    if (sent === size && sent > 0) return;
    if (sent > 0)
      throw new SandboxUnreachableError(`${path} has ${sent} bytes and not the ${size} announced.`);
    await api.send("PUT", contents(path), { type: "file", format: "text", content: "" });
  }

  return {
    makeFolder,
    listFiles,

    async readFile(path: string): Promise<HostFile | undefined> {
      const response = await api.get(`files/${encode(path)}`);
      if (!response) return undefined;
      const length = response.headers.get("content-length");
      if (length !== null && response.headers.get("content-encoding") === null) {
        return { body: response.body!, size: Number(length) };
      }
      const bytes = await response.arrayBuffer();
      return { body: new Response(bytes).body!, size: bytes.byteLength };
    },

    async writeFile(path: string, file: HostFile): Promise<void> {
      await makeFolder(path.slice(0, path.lastIndexOf("/")));
      await writePieces(path, file);
    },

    /** A folder can only be removed when it is empty. */
    async remove(path: string): Promise<void> {
      for (const { name, type } of await list(path)) {
        if (type === "directory") await this.remove(`${path}/${name}`);
        else await api.send("DELETE", contents(`${path}/${name}`));
      }
      if (await api.find(`${contents(path)}?content=0`)) await api.send("DELETE", contents(path));
    },
  };
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    waiting.push(bytes);
    size += bytes.length;
    if (size < PIECE) continue;
    const all = join(waiting, size);
    let start = 0;
    for (; size - start >= PIECE; start += PIECE) yield all.subarray(start, start + PIECE);
    waiting = [all.slice(start)];
    size -= start;
  }
  if (size > 0) yield join(waiting, size);
}

function join(parts: Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

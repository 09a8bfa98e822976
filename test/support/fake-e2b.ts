import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { connectFromNode } from "./connect-from-node.ts";

const HOME = "/home/user";
const KEEPALIVE_MS = 5000;
const HEARD_MS = 4000;
const FIELDS: Record<string, string> = {
  "text/plain": "text",
  "text/html": "html",
  "image/png": "png",
  "image/svg+xml": "svg",
  "application/json": "json",
};

interface Box {
  sandboxID: string;
  metadata: Record<string, string>;
  accessToken: string;
  contexts: { id: string; cwd: string; language: string; kernel: string }[];
}
type Message = {
  channel: string;
  header: { msg_type: string };
  parent_header?: { msg_id?: string };
  content: Record<string, unknown>;
};

/**
 * E2B as its wire is documented, the control plane and both services of a sandbox, over the kernels of a real Jupyter
 * Server, which is what its code interpreter is made of. A sandbox is a folder here, and no jail.
 */
export async function startFakeE2b(jupyter: { url: string; token: string; root: string }) {
  const apiKey = "e2b_key";
  const boxes = new Map<string, Box>();

  const api = (path: string, method = "GET", body?: object) =>
    fetch(`${jupyter.url}/api/${path}`, {
      method,
      headers: { authorization: `token ${jupyter.token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  async function control(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (request.headers["x-api-key"] !== apiKey) return send(response, 401, { message: "no" });
    const [, first, second, third] = url.pathname.split("/");
    const show = ({ sandboxID, accessToken }: Box) => ({
      sandboxID,
      envdAccessToken: accessToken,
      domain: null,
    });
    if (request.method === "POST" && first === "sandboxes" && second === undefined) {
      const { metadata } = JSON.parse((await bytesOf(request)).toString()) as Pick<Box, "metadata">;
      const box = { sandboxID: randomUUID(), metadata, accessToken: randomUUID(), contexts: [] };
      boxes.set(box.sandboxID, box);
      await mkdir(join(jupyter.root, box.sandboxID));
      return send(response, 201, show(box));
    }
    if (request.method === "GET" && first === "v2" && second === "sandboxes") {
      const wanted = new URLSearchParams(url.searchParams.get("metadata") ?? "");
      const found = [...boxes.values()].filter(({ metadata }) =>
        [...wanted].every(([key, value]) => metadata[key] === value),
      );
      return send(
        response,
        200,
        found.map(({ sandboxID }) => ({ sandboxID, state: "running" })),
      );
    }
    const box = boxes.get(second ?? "");
    if (!box) return send(response, 404, { message: "no such sandbox" });
    if (request.method === "POST" && third === "connect") return send(response, 200, show(box));
    if (request.method !== "DELETE") return send(response, 405, {});
    boxes.delete(box.sandboxID);
    for (const { kernel } of box.contexts) await api(`kernels/${kernel}`, "DELETE");
    await rm(join(jupyter.root, box.sandboxID), { recursive: true, force: true });
    return send(response, 204);
  }

  async function interpreter(
    box: Box,
    path: string[],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const text = (await bytesOf(request)).toString();
    const body = (text ? JSON.parse(text) : {}) as Record<string, string>;
    const [resource, id, action] = path;
    if (resource === "contexts" && id === undefined) {
      if (request.method === "GET") return send(response, 200, box.contexts);
      const folder = `${box.sandboxID}/${body["cwd"]!.slice(HOME.length + 1)}`;
      const made = await api("kernels", "POST", { name: "python3", path: folder });
      const context = { id: randomUUID(), cwd: body["cwd"]!, language: "python" };
      box.contexts.push({ ...context, kernel: ((await made.json()) as { id: string }).id });
      return send(response, 200, context);
    }
    const context = box.contexts.find((each) => each.id === (id ?? body["context_id"]));
    if (!context) return send(response, 404, `Context ${id} not found`);
    if (action === "restart") {
      await api(`kernels/${context.kernel}/restart`, "POST");
      return send(response, 200);
    }
    return execute(context.kernel, body["code"]!, response);
  }

  async function execute(kernel: string, code: string, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "application/json" });
    const tell = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
    const keepalive = setInterval(() => tell({ type: "keepalive" }), KEEPALIVE_MS);
    let ended = false;
    // Whoever goes away ends what runs, at the next sign of life that can't be written.
    response.once("close", () => {
      clearInterval(keepalive);
      if (!ended) setTimeout(() => void api(`kernels/${kernel}/interrupt`, "POST"), KEEPALIVE_MS);
      ended = true;
    });
    // The real one keeps its connection over a restart of the kernel. A new one may miss what is said just then.
    let outcome = await ask(kernel, code, tell);
    while (outcome === "unheard" && !response.destroyed) outcome = await ask(kernel, code, tell);
    if (ended) return;
    ended = true;
    if (outcome === "restarting") {
      tell({ type: "error", name: "ContextRestarting", value: "Context was restarted", traceback: "" });
    }
    tell({ type: "end_of_execution" });
    response.end();
  }

  async function ask(kernel: string, code: string, tell: (line: object) => void) {
    const session = randomUUID();
    const socket = await connectFromNode(
      `${jupyter.url}/api/kernels/${kernel}/channels?session_id=${session}`,
      { authorization: `token ${jupyter.token}` },
    );
    const id = randomUUID();
    let waiting = 2;
    let patience: NodeJS.Timeout | undefined;
    const outcome = Promise.withResolvers<"ended" | "restarting" | "unheard">();
    const listen = () => (patience = setTimeout(() => outcome.resolve("unheard"), HEARD_MS));
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return;
      const { channel, header, parent_header: parent, content } = JSON.parse(data) as Message;
      const type = header.msg_type;
      if (type === "status" && String(content["execution_state"]).endsWith("restarting")) {
        return outcome.resolve("restarting");
      }
      if (parent?.msg_id !== id) return;
      clearTimeout(patience);
      if (type === "stream") tell({ type: content["name"], text: content["text"] });
      if (type === "display_data" || type === "execute_result") tell(resultLine(type, content));
      if (type === "error") {
        tell({ type: "error", name: content["ename"], value: content["evalue"], traceback: "" });
      }
      const isEnd = type === "execute_reply" || content["execution_state"] === "idle";
      if (isEnd && (channel === "shell" || type === "status")) waiting -= 1;
      if (waiting === 0) outcome.resolve("ended");
      else if (waiting === 1) listen();
    });
    listen();
    const header = { msg_id: id, msg_type: "execute_request", session, username: "", version: "5.3" };
    const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
    socket.send(
      JSON.stringify({ channel: "shell", header, parent_header: {}, metadata: {}, content, buffers: [] }),
    );
    try {
      return await outcome.promise;
    } finally {
      clearTimeout(patience);
      socket.close();
    }
  }

  async function files(
    box: Box,
    path: string[],
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const body = await bytesOf(request);
    const local = (given: string) => join(jupyter.root, box.sandboxID, given.slice(HOME.length));
    if (path[0] === "files") {
      const file = local(url.searchParams.get("path")!);
      if (request.method === "GET") {
        if (!existsSync(file)) return send(response, 404, { message: "not found" });
        return void response.writeHead(200).end(await readFile(file));
      }
      const type = request.headers["content-type"]!;
      const form = await new Response(body, { headers: { "content-type": type } }).formData();
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(await (form.get("file") as Blob).arrayBuffer()));
      return send(response, 200, [{ name: "file", type: "file", path: file }]);
    }
    const given = JSON.parse(body.toString()) as { path: string };
    const folder = local(given.path);
    if (path[1] === "MakeDir") await mkdir(folder, { recursive: true });
    else if (!existsSync(folder)) return send(response, 404, { code: "not_found", message: "no" });
    if (path[1] === "Remove") await rm(folder, { recursive: true });
    if (path[1] !== "ListDir") return send(response, 200, {});
    const names = await readdir(folder);
    const entries = names.map(async (name) => ({
      name,
      path: `${given.path}/${name}`,
      type: (await stat(join(folder, name))).isDirectory() ? "FILE_TYPE_DIRECTORY" : "FILE_TYPE_FILE",
    }));
    return send(response, 200, { entries: await Promise.all(entries) });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://e2b");
    const [, port, id, ...path] = url.pathname.split("/");
    if (port !== "49999" && port !== "49983") return control(request, response, url);
    const box = boxes.get(id!);
    if (!box) return send(response, 502, { message: "The sandbox was not found" });
    if (request.headers["x-access-token"] !== box.accessToken) return send(response, 401, { message: "no" });
    if (port === "49983") return files(box, path, request, response, url);
    return interpreter(box, path, request, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => send(response, 500, { message: String(error) }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    apiKey,
    portUrl: (port: number, sandboxId: string) => `${url}/${port}/${sandboxId}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function resultLine(type: string, content: Record<string, unknown>): object {
  const line: Record<string, unknown> = {
    type: "result",
    is_main_result: type === "execute_result",
    extra: {},
  };
  for (const [mime, value] of Object.entries(content["data"] as object)) {
    if (FIELDS[mime]) line[FIELDS[mime]] = value;
    else (line["extra"] as Record<string, unknown>)[mime] = value;
  }
  return line;
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

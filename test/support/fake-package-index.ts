import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

/** Files of a folder as a CDN gives them, with ranges. `cutAfter` bytes the next answers break off. */
export async function startPackageIndex(folder: string) {
  const asked: { file: string; range: string | undefined }[] = [];
  const faults = { cutAfter: Infinity, cuts: 0, status: 0 };
  const server = createServer(async (request, response) => {
    const file = basename(request.url ?? "");
    const { range } = request.headers;
    asked.push({ file, range });
    const status = await stat(join(folder, file)).catch(() => undefined);
    if (faults.status || !status?.isFile()) return response.writeHead(faults.status || 404).end();
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    if (start > 0 && start >= status.size) return response.writeHead(416).end();
    response.writeHead(start > 0 ? 206 : 200, { "content-length": status.size - start });
    if (request.method === "HEAD") return response.end();
    if (faults.cuts-- > 0) {
      for await (const piece of createReadStream(join(folder, file), {
        start,
        end: start + faults.cutAfter - 1,
      }))
        response.write(piece);
      setTimeout(() => response.destroy(), 50);
      return;
    }
    createReadStream(join(folder, file), { start }).pipe(response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/full/`,
    asked,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import type { ByteRange } from "../../files/files.ts";
import { isSafeInline } from "../../files/media-type.ts";
import { HttpProblem } from "./problem.ts";

export interface ServedFile {
  name: string;
  mime: string;
  size: number;
  etag: string;
}

/**
 * A file as an answer: whole, in part (Range), or not at all when the client has it already. Whatever it holds can't act
 * on a page: pictures are shown, all else is downloaded, nothing is guessed from the content, and a browser that opens it
 * all the same does so in a sandbox.
 */
export async function serveFile(
  request: Request,
  file: {
    find(): Promise<ServedFile | undefined>;
    open(range?: ByteRange): Promise<(ServedFile & { body: ReadableStream<Uint8Array> }) | undefined>;
    notFound(): HttpProblem;
  },
): Promise<Response> {
  const asked = request.headers.get("range");
  const isConditional = request.headers.has("if-none-match");
  // The size is needed before a part can be read; for the whole file one look is enough.
  const known = asked !== null || isConditional || request.method === "HEAD" ? await file.find() : undefined;
  if (known) {
    if (isKnownToClient(request, known))
      return new Response(null, { status: 304, headers: headersOf(request, known) });
    if (request.method === "HEAD") {
      return new Response(null, {
        headers: { ...headersOf(request, known), "content-length": String(known.size) },
      });
    }
    const ifRange = request.headers.get("if-range");
    const range =
      asked === null || (ifRange !== null && ifRange !== known.etag)
        ? undefined
        : readRange(asked, known.size);
    if (range === "unsatisfiable") {
      throw new HttpProblem(416, "range_not_satisfiable", `The file has ${known.size} bytes.`, {
        headers: { "content-range": `bytes */${known.size}` },
      });
    }
    const part = range && (await file.open(range));
    // Replaced since it was looked at: the whole new one is the answer.
    if (range && part?.etag === known.etag) {
      return new Response(part.body, {
        status: 206,
        headers: {
          ...headersOf(request, part),
          "content-length": String(range.length),
          "content-range": `bytes ${range.offset}-${range.offset + range.length - 1}/${known.size}`,
        },
      });
    }
    await part?.body.cancel();
  }
  const whole = await file.open();
  if (!whole) throw file.notFound();
  return new Response(whole.body, {
    headers: { ...headersOf(request, whole), "content-length": String(whole.size) },
  });
}

function headersOf(request: Request, { name, mime, etag }: ServedFile): Record<string, string> {
  const { searchParams } = new URL(request.url);
  const isDownload = !isSafeInline(mime) || searchParams.get("download") === "1";
  return {
    "content-type": mime,
    "content-disposition": `${isDownload ? "attachment" : "inline"}; filename*=UTF-8''${encodeName(name)}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    // A signed link may stand in anybody's page: who has it may see the file.
    "cross-origin-resource-policy": searchParams.has("signature") ? "cross-origin" : "same-site",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    etag,
  };
}

/** As RFC 5987 wants it; what can't be encoded (half of a surrogate pair) becomes the replacement character. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

function isKnownToClient(request: Request, { etag }: ServedFile): boolean {
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  return known.some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}

/** One range of bytes; what is malformed or asks for several is answered with the whole file, as HTTP allows. */
function readRange(header: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (first === "" && last === "") return undefined;
  const offset = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return offset > end ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

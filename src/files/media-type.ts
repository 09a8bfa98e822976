/** By the end of a name; what isn't here is bytes. */
const byExtension: Record<string, string> = {
  avif: "image/avif",
  csv: "text/csv",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  png: "image/png",
  py: "text/x-python",
  svg: "image/svg+xml",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  webp: "image/webp",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

const BYTES = "application/octet-stream";
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(;[ \x21-\x7e]*)?$/;
/** What clients send when they were told nothing: curl and fetch. */
const UNSAID = new Set(["", BYTES, "application/x-www-form-urlencoded", "text/plain;charset=utf-8"]);

/** What a file is: as its sender says, else by its name. The content isn't asked: it says whatever its author wants. */
export function mediaTypeOf(name: string, said: string | undefined): string {
  const type = (said ?? "").trim().toLowerCase();
  if (!UNSAID.has(type.replaceAll(" ", "")) && MEDIA_TYPE.test(type)) return type;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return byExtension[extension] ?? BYTES;
}

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Whether a browser may show it in place: pictures that hold nothing that acts. SVG does. */
export function isSafeInline(mime: string): boolean {
  return IMAGES.has(mime.split(";")[0]!.trim().toLowerCase());
}

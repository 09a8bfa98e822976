import { DocumentRefusedError } from "./document.ts";
import { htmlToText } from "./html-to-text.ts";

const BOM = "\uFEFF";

/** What is to be read in a document: markdown and plain text as they are, JSON line by line, of HTML the words. */
export function readText(name: string, mime: string, body: Uint8Array): string {
  const refuse = (what: string): never => {
    throw new DocumentRefusedError(
      "unsupported_document",
      `${name} is ${what}. Send text as UTF-8 (plain, Markdown, HTML, JSON, CSV); have other formats converted first, for example by pandoc or pdftotext.`,
    );
  };
  const text = decode(body) ?? refuse("not UTF-8 text");
  if (text.startsWith("%PDF-")) refuse("a PDF");
  if (text.includes("\0")) refuse("binary");
  const plain = toPlain(mime, text.replace(BOM, "").replaceAll("\r\n", "\n"));
  if (plain.trim() === "") throw new DocumentRefusedError("document_empty", `There is no text in ${name}.`);
  return plain;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    // A TypeError: it is in another encoding, or no text.
    return undefined;
  }
}

function toPlain(mime: string, text: string): string {
  const type = mime.split(";")[0]!.trim();
  if (type === "text/html" || type === "application/xhtml+xml") return htmlToText(text);
  if (type !== "application/json") return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    // Lines of JSON, or nearly JSON: it is read as it is.
    return text;
  }
}

import { describe, expect, it } from "vitest";
import { readText } from "../../src/documents/read-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (name: string, mime: string, text: string) => readText(name, mime, bytes(text));

describe("what is read in a document", () => {
  it("is the words of a page, with its headings, without what is only for browsers", () => {
    const html = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
      <h1>Returns &amp; refunds</h1><p>Within <b>30</b>
      days.</p><ul><li>unused</li><li>&#x20AC;5&nbsp;fee</li></ul><script>alert("1 < 2")</script>
      <table><tr><th>A</th><td>1</td></tr></table><h2>Who</h2>a &lt;b&gt; &unknown; <!-- no --></body></html>`;
    expect(read("a.html", "text/html; charset=utf-8", html)).toBe(
      "# Returns & refunds\n\nWithin 30 days.\n\n- unused\n- €5 fee\n\nA | 1 |\n\n## Who\n\na <b> &unknown;",
    );
  });

  it("is JSON line by line, and any other text as it is", () => {
    expect(read("a.json", "application/json", '{"a":[1]}')).toBe('{\n "a": [\n  1\n ]\n}');
    expect(read("a.jsonl", "application/json", '{"a":1}\n{"a":2}')).toBe('{"a":1}\n{"a":2}');
    expect(read("a.md", "application/octet-stream", "\uFEFF# A\r\nb")).toBe("# A\nb");
  });

  it("is nothing where there is no text, and who sends that is told what to send", () => {
    const refused = (body: Uint8Array) => {
      try {
        return readText("a.pdf", "application/pdf", body);
      } catch (error) {
        return error;
      }
    };
    expect(refused(bytes("%PDF-1.7 abc"))).toMatchObject({
      code: "unsupported_document",
      message: expect.stringMatching(/^a\.pdf is a PDF\. Send text .*pdftotext/),
    });
    expect(refused(new Uint8Array([0xff, 0xd8, 0xff]))).toMatchObject({ code: "unsupported_document" });
    expect(refused(bytes("a\0b"))).toMatchObject({ code: "unsupported_document" });
    expect(refused(bytes(" \n"))).toMatchObject({ code: "document_empty" });
  });
});

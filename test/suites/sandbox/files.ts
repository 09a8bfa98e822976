import { describe, expect } from "vitest";
import type { SandboxSuite } from "./suite.ts";

/** Files, the caller's and those that cells make. */
export function testFiles(suite: SandboxSuite): void {
  const { openContext, test } = suite;
  describe("files", () => {
    test("come and go as they are, in folders too", async () => {
      const own = await openContext();
      const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 256);
      for (const [path, content] of [
        ["data/large.bin", bytes],
        ["ünï cödé #1%.txt", new TextEncoder().encode("ä")],
        ["empty.txt", new Uint8Array()],
      ] as const) {
        await own.put(path, content);
        const found = await own.get(path);
        expect(found?.size).toBe(content.length);
        expect(found!.bytes.every((byte, index) => byte === content[index])).toBe(true);
      }
      expect((await suite.sandbox.listFiles(own.id)).toSorted()).toEqual(
        ["data/large.bin", "empty.txt", "ünï cödé #1%.txt"].toSorted(),
      );
      expect((await own.run("import os\nos.path.getsize('data/large.bin')")).value).toBe("5000000");
      await own.put("empty.txt", new TextEncoder().encode("now"));
      expect((await own.run("open('empty.txt').read()")).value).toBe("'now'");
      expect(await suite.sandbox.getFile(own.id, "missing.txt")).toBeUndefined();
    });

    test("stay within the working folder", async () => {
      const own = await openContext();
      for (const path of ["../outside.txt", "a/../../outside.txt", "/etc/outside.txt", "a\\..\\b"]) {
        await expect(own.put(path, new TextEncoder().encode("x"))).rejects.toThrow(/.+/);
      }
    });

    test("that a cell makes are artifacts, and told as changed", async () => {
      const own = await openContext();
      const made = await own.run("open('table.csv', 'w').write('a,b\\n1,2\\n')");
      expect(made.all("artifact")).toMatchObject([
        {
          name: "table.csv",
          kind: "df",
          file: "table.csv",
          mime: "text/csv",
          size: 8,
          preview: "a,b\n1,2\n",
        },
      ]);
      expect(made.done?.filesChanged).toMatchObject([{ path: "table.csv", size: 8 }]);
      expect((await own.run("1")).all("artifact")).toEqual([]);
    });
  });
}

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import type * as z from "zod";
import { ContentError, type Problem } from "./problem.ts";

/** A YAML or JSON file whose parts can be traced back to their lines. */
export interface SourceFile {
  /** Relative to the project. */
  file: string;
  value: unknown;
  /** The line of the innermost part of the path that is there. */
  lineOf(path: PropertyKey[]): number | undefined;
}

export function readYaml(projectPath: string, path: string): SourceFile {
  const file = relative(projectPath, path);
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, "utf8"), { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ContentError(
      document.errors.map(({ message, pos }) => ({ file, line: lines.linePos(pos[0]).line, message })),
    );
  }
  return {
    file,
    value: document.toJS() as unknown,
    lineOf: (at) => lineOf(document, lines, at),
  };
}

function lineOf(document: Document, lines: LineCounter, path: PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** Checks a file against a schema. @throws ContentError with the line and field of each thing that is wrong. */
export function check<Schema extends z.ZodType>(source: SourceFile, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return parsed.data;
  throw new ContentError(
    parsed.error.issues.map(({ path, message }): Problem => {
      const line = source.lineOf(path);
      return {
        file: source.file,
        ...(line === undefined ? {} : { line }),
        field: showPath(path),
        message,
      };
    }),
  );
}

function showPath(path: PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

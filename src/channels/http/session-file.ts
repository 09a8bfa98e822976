import * as z from "zod";
import { isSubPath } from "../../lib/sub-path.ts";
import { InvalidFileNameError, parseFileName } from "../../files/files.ts";
import { roundsInFile, timeInFile } from "../../memory/conversation-file.ts";
import type { RoleSummary } from "../../memory/summary.ts";
import type { Fact } from "../../memory/shared-state.ts";
import { metadata, roleNames, sessionId, title, variables } from "./session-fields.ts";

export const FORMAT = "taskweaver-edge/session";
export const VERSION = 1;
/** A file of this size can be imported again by a Worker: it fits into a body, and several times into its memory. */
export const MAX_EXPORT_BYTES = 24 * 1024 * 1024;

const content = z.string().transform((text, { addIssue }) => {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    // A SyntaxError: the text isn't base64.
    addIssue("expected base64");
    return z.NEVER;
  }
});

const fileName = z.string().transform((name, { addIssue }) => {
  try {
    return parseFileName(name);
  } catch (error) {
    if (!(error instanceof InvalidFileNameError)) throw error;
    addIssue(error.message);
    return z.NEVER;
  }
});

const upload = z.strictObject({ name: fileName, content_base64: content });

const artifact = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(400)
    .regex(/^\P{Cc}*$/u, "expected no control characters"),
  name: z.string().min(1).max(1000),
  kind: z.string().max(200),
  mime: z.string().regex(/^[\w.+-]+\/[\w.+-]+(;[ \x21-\x7e]*)?$/, "expected a media type"),
  description: z.string().max(100_000),
  round_id: z.string(),
  post_id: z.string(),
  created_at: timeInFile,
  /** In the working folder; files from before it was noted have none. */
  path: z
    .string()
    .max(1000)
    .refine(isSubPath, "expected a path inside the working folder")
    .nullable()
    .default(null),
  content_base64: content,
});

/** Set from outside, after that round (counted from 1; 0: before any) and its post (counted from 0); in their order. */
const signal = z
  .strictObject({
    key: z.string().min(1).max(200),
    value: z.string().max(10_000).nullable(),
    after_round: z.int().nonnegative(),
    after_post: z.int().nonnegative(),
  })
  .transform(({ key, value, after_round: roundSeq, after_post: seq }): Fact => ({
    kind: "signal",
    key,
    value,
    roundSeq,
    seq,
  }));

export function writeSignals(outside: Fact[]): z.input<typeof signal>[] {
  return outside
    .filter((fact) => fact.kind === "signal")
    .map(({ key, value, roundSeq, seq }) => ({ key, value, after_round: roundSeq, after_post: seq }));
}

const summary = z
  .strictObject({
    role: z.string().min(1).max(200),
    up_to_round: z.int().positive(),
    text: z.string().min(1).max(100_000),
  })
  .transform(({ role, up_to_round: upTo, text }): RoleSummary => ({ role, upTo, text }));

export const writeSummaries = (summaries: RoleSummary[]): z.input<typeof summary>[] =>
  summaries.map(({ role, upTo, text }) => ({ role, up_to_round: upTo, text }));

const unique = <Item extends object>(items: z.ZodType<Item[]>, key: keyof Item & string) =>
  items.check(({ value, issues }) => {
    const known = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      if (known.has(item[key]))
        issues.push({ code: "custom", path: [index, key], message: "is there twice", input: item[key] });
      known.add(item[key]);
    }
  });

/** All that makes a session again, as `GET …/export` gives it. */
export const sessionFile = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  session: z.strictObject({
    id: sessionId,
    roles: roleNames,
    title,
    metadata,
    variables,
    created_at: timeInFile,
    updated_at: timeInFile,
  }),
  rounds: roundsInFile,
  signals: z.array(signal),
  /** What roles remember of the rounds up to one (counted from 1); without them they are shown the rounds. */
  summaries: unique(z.array(summary), "role").default([]),
  uploads: unique(z.array(upload), "name"),
  artifacts: unique(z.array(artifact), "id"),
});

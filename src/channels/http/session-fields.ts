import * as z from "zod";

export const sessionId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/,
    "1 to 128 letters, digits and . _ ~ -, beginning with a letter or digit",
  );
export const roleNames = z.array(z.string()).min(1);
export const title = z.string().max(500).nullable();
/** A session is one row of the database, so what it carries is bounded. */
const MAX_CHARACTERS = 256 * 1024;
const isSmall = (value: unknown) => JSON.stringify(value).length <= MAX_CHARACTERS;
const tooLarge = `over ${MAX_CHARACTERS} characters of JSON`;

export const metadata = z.record(z.string(), z.unknown()).refine(isSmall, tooLarge);
export const variables = z.record(z.string(), z.string()).refine(isSmall, tooLarge);

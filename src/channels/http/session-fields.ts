import * as z from "zod";

export const sessionId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/,
    "1 to 128 letters, digits and . _ ~ -, beginning with a letter or digit",
  );
export const roleNames = z.array(z.string()).min(1);
export const title = z.string().max(500).nullable();
export const metadata = z.record(z.string(), z.unknown());
export const variables = z.record(z.string(), z.string());

import * as z from "zod";
import type { ContextInfo, SandboxCapabilities } from "../sandbox.ts";

// Lenient on what a server sends: unknown keys and events are passed over, so that a newer server serves us too.

export const contextWire = z
  .object({
    generation: z.string(),
    created: z.boolean().optional(),
    plugins: z
      .array(z.object({ name: z.string(), ok: z.boolean(), error: z.string().optional() }))
      .optional(),
  })
  .transform((context): ContextInfo => ({
    generation: context.generation,
    created: context.created ?? false,
    plugins: context.plugins ?? [],
  }));

export const infoWire = z
  .object({
    caps: z.object({ shell: z.boolean().catch(false) }).catch({ shell: false }),
    python: z.string().optional().catch(undefined),
    packages: z.record(z.string(), z.string().nullable()).optional().catch(undefined),
  })
  .transform(({ caps, python, packages }): SandboxCapabilities => ({
    ...caps,
    ...(python === undefined ? {} : { python }),
    ...(packages === undefined ? {} : { packages }),
  }));

export const filesWire = z.object({ files: z.array(z.object({ path: z.string() })) });

import { createHash } from "node:crypto";
import { z } from "zod";
import { SandboxError } from "./errors.ts";
import type { CallAnswer, ExecutionRequest } from "./protocol.ts";
import type { Wanted } from "./wanted.ts";

export const MAXIMUM_CODE = 1024 * 1024;
export const MAXIMUM_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 60_000;

const plugin = z.object({
  name: z.string().min(1).max(200),
  code: z.string().max(MAXIMUM_CODE),
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.record(z.string(), z.string()).optional(),
  hash: z.string().max(200).optional(),
});

const contextRequest = z.object({
  plugins: z.array(plugin).max(200).optional(),
  variables: z.record(z.string(), z.coerce.string()).optional(),
  engine: z.string().optional(),
  limits: z.object({ memory_mb: z.int().min(64).max(2048).optional() }).optional(),
  network: z.string().optional(),
});

const executionRequest = z.object({
  execution_id: z.string().min(1).max(256),
  code: z.string().max(MAXIMUM_CODE, `has at most ${MAXIMUM_CODE} characters`),
  timeout_ms: z.int().min(1).max(MAXIMUM_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
  generation: z.string().optional(),
  after: z.int().min(0).default(0),
});

export function parseContextRequest(body: unknown): Wanted {
  const { plugins, variables, engine, limits, network } = parse(contextRequest, body);
  if (network !== undefined && network !== "none") {
    throw new SandboxError("unsupported", "Code here has no network, so network can only be none.");
  }
  const installed = plugins?.map(({ name, code, config, environment, hash }) => ({
    name,
    code,
    config: config ?? {},
    environment,
    hash:
      hash ??
      createHash("sha256")
        .update(JSON.stringify([code, config, environment]))
        .digest("hex"),
  }));
  return { plugins: installed, variables, engine, memoryMb: limits?.memory_mb };
}

export function parseExecutionRequest(body: unknown): ExecutionRequest {
  return parse(executionRequest, body);
}

const answer = z.union([
  z.object({
    error: z.union([z.string(), z.object({ name: z.string().optional(), message: z.string() })]),
  }),
  z.object({ value: z.unknown().optional() }).transform(({ value }) => ({ value: value ?? null })),
]);

export function parseCallAnswer(body: unknown): CallAnswer {
  return parse(answer, body);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  const first = issues[0];
  const tooLarge = result.error.issues.some(({ code, path }) => code === "too_big" && path.at(-1) === "code");
  throw new SandboxError(
    tooLarge ? "too_large" : "invalid_request",
    first ? `${first.field || "The body"}: ${first.message}` : "The body is not as it should be.",
    { issues },
  );
}

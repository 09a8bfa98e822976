import { RoundFailure } from "../lib/round-failure.ts";

/** A plugin as it is handed to the interpreter: its Python source and its configuration. */
export interface SandboxPlugin {
  name: string;
  code: string;
  config: Record<string, unknown>;
  /** What its `get_env` finds. */
  environment?: Record<string, string>;
  /** Of code, config and environment: a plugin with a known hash is not loaded again. */
  hash: string;
}

export interface ContextSpec {
  plugins: SandboxPlugin[];
  variables: Record<string, string>;
}

export interface SandboxCapabilities {
  /** Code may start processes, a shell among them. */
  shell: boolean;
  /** The version of Python and of each large package that code may hope for, null where it isn't there; absent where
   *  that isn't known. */
  python?: string;
  packages?: Record<string, string | null>;
}

export interface ContextInfo {
  /** The identity of the interpreter's memory: it changes if and only if that was lost. */
  generation: string;
  created: boolean;
  plugins: { name: string; ok: boolean; error?: string }[];
}

export interface ArtifactReport {
  id: string;
  name: string;
  kind: string;
  /** Path inside the working folder. */
  file: string;
  mime: string;
  size: number;
  description: string;
  preview: string;
}

export interface VariableSummary {
  name: string;
  type: string;
  summary: string;
}

/** What an execution tells while it runs; `done` or `lost` is always the last. */
export type ExecutionEvent =
  | { type: "started"; generation: string }
  | { type: "stdout" | "stderr"; text: string }
  | { type: "display"; data: Record<string, string> }
  | { type: "result"; text: string; data: Record<string, string> }
  | ({ type: "artifact" } & ArtifactReport)
  | { type: "log"; level: string; tag: string; message: string }
  | { type: "error"; name: string; message: string; traceback: string }
  | { type: "session_var"; name: string; value: string }
  | {
      type: "done";
      status: "success" | "failure" | "timeout" | "interrupted";
      durationMs: number;
      filesChanged: { path: string; size: number }[];
      variables: VariableSummary[];
    }
  | { type: "lost"; reason: string };

/** Code calls a plugin that runs here, outside of the sandbox. */
export interface OutsideCall {
  /** Of its own within the execution. */
  callId: string;
  name: string;
  args: unknown[];
  kwargs: Record<string, unknown>;
}

/** What a call comes to: a JSON value, or an error that is raised where the call was made. */
export type CallAnswer = { value: unknown } | { error: { name: string; message: string } };

export interface Execution {
  /** The same id again never runs anything: it tells the first run's events once more, live or stored. */
  executionId: string;
  code: string;
  timeoutMs: number;
  /** Runs only in the interpreter memory that it was written for. */
  generation?: string;
  signal?: AbortSignal;
  /** Asked for each call that has no answer yet, while the code waits for it. Never rejects. */
  onCall?: (call: OutsideCall) => Promise<CallAnswer>;
}

/** The generation that an execution was meant for is gone; nothing was run. */
export class ContextLostError extends Error {
  readonly code = "context_lost";
  constructor(contextId: string) {
    super(`The interpreter of context ${contextId} was lost.`);
  }
}

/** The sandbox does not answer, or not in a way that makes sense. */
export class SandboxUnreachableError extends RoundFailure {
  constructor(message: string, options?: { cause?: unknown }) {
    super("sandbox_unreachable", message, options);
  }
}

/**
 * A remote place where Python runs statefully. Drivers are dumb: they open, run, stop and move files. What user code
 * does wrong is data (`error`, then `done` with `failure`); what the sandbox does wrong is an error that is thrown
 * (SandboxUnreachableError, ContextLostError). A driver never runs anything twice to be safe, and never puts its
 * token into an error.
 */
export interface Sandbox {
  /** What its interpreters can do besides Python. */
  capabilities(): Promise<SandboxCapabilities>;
  /** Makes the context or attaches to it. */
  open(contextId: string, spec: ContextSpec): Promise<ContextInfo>;
  execute(contextId: string, execution: Execution): AsyncIterable<ExecutionEvent>;
  interrupt(contextId: string): Promise<void>;
  putFile(contextId: string, path: string, body: ReadableStream<Uint8Array>, size: number): Promise<void>;
  /** Undefined when there is no such file. */
  getFile(
    contextId: string,
    path: string,
  ): Promise<{ body: ReadableStream<Uint8Array>; size: number } | undefined>;
  listFiles(contextId: string): Promise<string[]>;
  close(contextId: string): Promise<void>;
}

// The sandbox protocol's wire types. Nothing here knows HTTP, Node or an engine, so a client may import it too.

export const PROTOCOL = 1;

/** mime type -> data; binary data is base64. */
export type MimeBundle = Record<string, string>;

export type ArtifactKind = "chart" | "df" | "file" | "txt" | "svg" | "html" | "image";

export interface ChangedFile {
  /** Relative to the working folder. */
  path: string;
  size: number;
  /** Milliseconds since the epoch. */
  mtime: number;
}

export interface VariableSummary {
  name: string;
  type: string;
  summary: string;
}

export interface Artifact {
  id: string;
  name: string;
  kind: ArtifactKind;
  file: string;
  mime: string;
  size: number;
  description: string;
  preview: string;
}

export type DoneStatus = "success" | "failure" | "timeout" | "interrupted";

/** Why an interpreter and its memory are gone. */
export type LostReason =
  | "crashed"
  | "killed"
  | "deleted"
  | "reset"
  | "output_limit"
  | "disk_limit"
  | "memory_limit"
  | "server_restarted"
  | "server_stopped"
  | "expired";

/** What an execution says, without its place in the stream. */
export type ExecutionEventBody =
  | { type: "started"; generation: string }
  | { type: "stdout"; text: string }
  | { type: "stderr"; text: string }
  | { type: "display"; data: MimeBundle }
  | { type: "result"; text: string; data: MimeBundle }
  | ({ type: "artifact" } & Artifact)
  | { type: "log"; level: string; tag: string; message: string }
  | { type: "error"; name: string; message: string; traceback: string }
  | { type: "session_var"; name: string; value: string }
  /** `answered`: in what is told again, a call that nobody has to answer any more. */
  | {
      type: "call";
      call_id: string;
      name: string;
      args: unknown[];
      kwargs: Record<string, unknown>;
      answered?: boolean;
    }
  | { type: "ping" }
  | {
      type: "done";
      status: DoneStatus;
      duration_ms: number;
      truncated?: boolean;
      files_changed: ChangedFile[];
      variables?: VariableSummary[];
    }
  | { type: "lost"; reason: LostReason };

/** One line of an execution's stream. `seq` grows strictly; a `ping` has one too and is never stored, so a stored
 *  stream may skip numbers. `done` or `lost` is the last line; a stream that ends without either was cut. */
export type ExecutionEvent = ExecutionEventBody & { seq: number };

export interface PluginSpecification {
  name: string;
  code: string;
  config?: Record<string, unknown> | null;
  /** What its `get_env` finds, by name. */
  environment?: Record<string, string>;
  /** Changes when code, configuration or environment does; made by the server when it is left out. */
  hash?: string;
}

export interface PluginReport {
  name: string;
  ok: boolean;
  error?: string;
}

/** PUT /v1/contexts/{id}. What is left out stays as it is. */
export interface ContextRequest {
  plugins?: PluginSpecification[];
  variables?: Record<string, string>;
  engine?: string;
  limits?: { memory_mb?: number };
  network?: "none";
}

export interface Capabilities {
  stream: boolean;
  interrupt: boolean;
  reattach: boolean;
  files: boolean;
  suspend: boolean;
  /** Code may start processes, a shell among them. */
  shell: boolean;
  network: "none";
}

export interface ContextInfo {
  id: string;
  /** Identity of the interpreter's memory: changes if and only if state was lost. */
  generation: string;
  /** Whether this request made the interpreter. */
  created: boolean;
  /** `suspended`: no process now, the next call goes on with the same memory. `ended`: the memory is lost, the next
   *  execution starts an empty interpreter; its generation is already this one. */
  state: "idle" | "busy" | "suspended" | "ended";
  execution_id?: string;
  engine: string;
  python: string;
  caps: Capabilities;
  plugins: PluginReport[];
  expires_at: string;
}

/** POST /v1/contexts/{id}/executions */
export interface ExecutionRequest {
  execution_id: string;
  code: string;
  timeout_ms: number;
  generation?: string;
  after?: number;
}

/** POST /v1/contexts/{id}/executions/{execution id}/calls/{call id}: what the call comes to. */
export type CallAnswer = { value: unknown } | { error: string | { name?: string; message: string } };

export interface FileInfo {
  path: string;
  size: number;
  mtime: number;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: Record<string, unknown> };
}

export type ErrorCode =
  | "invalid_request"
  | "invalid_name"
  | "unauthorized"
  | "not_found"
  | "method_not_allowed"
  | "context_not_found"
  | "execution_not_found"
  | "file_not_found"
  | "context_busy"
  | "context_lost"
  | "call_not_found"
  | "call_answered"
  | "not_suspendable"
  | "too_large"
  | "too_many_contexts"
  | "unsupported"
  | "engine_failed"
  | "not_ready"
  | "internal";

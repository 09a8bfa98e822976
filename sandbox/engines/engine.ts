import type {
  CallAnswer,
  ChangedFile,
  ExecutionEventBody,
  LostReason,
  PluginReport,
  VariableSummary,
} from "../protocol.ts";

export interface OpenOptions {
  contextId: string;
  /** Absolute path of the context's working folder; it exists. */
  folder: string;
  memoryMb: number;
  /** A file that `suspend` made: the interpreter goes on from there. */
  memory?: string | undefined;
}

export interface CellOptions {
  executionId: string;
  /** Numbers the context's cells over its whole life; artifact ids and files are named by it. */
  index: number;
  code: string;
  timeoutMs: number;
  /** Called in order with what the cell says while it runs. Never with `started`, `done` or `lost`. */
  onEvent: (event: ExecutionEventBody) => void;
}

/** How a cell ended. After `lost` the interpreter is gone, with everything it held. */
export type CellOutcome =
  | { type: "lost"; reason: LostReason }
  | {
      type: "finished";
      status: "success" | "failure";
      /** What stopped it, if it was stopped softly; variables are kept. */
      stopped?: "timeout" | "interrupted";
      error?: { name: string; message: string; traceback: string };
      truncated?: boolean;
      filesChanged: ChangedFile[];
      variables: VariableSummary[];
    };

/** One Python interpreter for one context. Runs one cell at a time; the caller doesn't start a second. */
export interface Interpreter {
  readonly alive: boolean;
  /** Brings plugins and session variables to the given state; what is undefined stays. A plugin that fails to load is
   *  reported, it doesn't throw. Throws when the interpreter is gone. */
  configure(options: {
    plugins?: InstalledPlugin[] | undefined;
    variables?: Record<string, string> | undefined;
  }): Promise<PluginReport[]>;
  /** Never throws: a dead interpreter is an outcome. */
  run(cell: CellOptions): Promise<CellOutcome>;
  /** Hands the running cell what one of its calls has come to. */
  answer(callId: string, answer: CallAnswer): void;
  /** Stops the running cell softly, and kills the interpreter after a grace. Nothing happens when none runs. */
  interrupt(): void;
  /** Writes the interpreter's memory to `file` and ends the process. False when this memory can't be kept; then nothing
   *  has changed. No cell runs meanwhile. */
  suspend(file: string): Promise<boolean>;
  /** Ends the process at once; a running cell comes back `lost` with this reason. */
  kill(reason: LostReason): void;
  /** Settles when the process is gone, whoever ended it. */
  readonly exited: Promise<void>;
}

export interface InstalledPlugin {
  name: string;
  code: string;
  config: Record<string, unknown>;
  environment?: Record<string, string> | undefined;
  hash: string;
}

/** A kind of interpreter. It must keep model-written code away from the host: files other than the working folder, the
 *  network, other processes, the server's environment. */
export interface Engine {
  readonly name: string;
  readonly python: string;
  /** In a few words, for /v1/info. */
  readonly description: string;
  /** The version of each large package that code may hope for, null where it isn't there. */
  readonly packages: Record<string, string | null>;
  /** What a suspended memory was made by: it only fits an engine with the same. */
  readonly build: string;
  /** Whether its interpreters can be suspended. */
  readonly suspends: boolean;
  /** Whether code may start processes, a shell among them. */
  readonly shell: boolean;
  open(options: OpenOptions): Promise<Interpreter>;
  /** Ends every process of this engine. */
  close(): Promise<void>;
}
